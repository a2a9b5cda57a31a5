#include "heuristics/additive_costs.h"

#include <iterator>

#include "basics/watch.h"

namespace liftq {

// Operators that cost nothing may support each other in a circle, which updating does not notice.
AdditiveCosts::AdditiveCosts(const Relaxation& relaxation)
    : relaxation_(relaxation), can_update_(std::ranges::count(relaxation.costs, 0) == 1) {
  size_t longest = 1;
  for (size_t op = 0; op < relaxation.num_operators(); ++op)
    longest = std::max(longest, relaxation.preconditions[op].size());
  const auto most_preconditions = static_cast<int64_t>(longest);
  most_ = std::min(int64_t{1} << 30, (int64_t{1} << 61) / most_preconditions / most_preconditions);
  missing_ = most_preconditions * most_ + (int64_t{1} << 31);
  fresh_.reserve(relaxation.num_operators());
  for (size_t op = 0; op < relaxation.num_operators(); ++op)
    fresh_.push_back(relaxation.costs[op] + missing_ * static_cast<int64_t>(relaxation.preconditions[op].size()));
}

void AdditiveCosts::explore(std::span<const int> state) {
  if (!is_complete_ || !update(state)) start_afresh(state);
  state_.assign(state.begin(), state.end());
}

void AdditiveCosts::start_afresh(std::span<const int> state) {
  is_complete_ = is_saturated_ = false;
  queue_.clear();
  totals_ = fresh_;
  propositions_.assign(relaxation_.num_propositions(), {kUnreached, kUnreached, Relaxation::kNone});
  for (int proposition : state) enter(proposition);
  enter(relaxation_.truth());
  work_ = 0;
  const bool is_for_updates = can_update_ && pause_ == 0;
  settle(is_for_updates ? Extent::all : Extent::goals);
  work_afresh_ = work_;
  is_complete_ = is_for_updates && !is_saturated_;
  pause_ = std::max(0, pause_ - 1);
}

bool AdditiveCosts::update(std::span<const int> state) {
  is_complete_ = false;
  work_ = 0;
  auto before = state_.begin();
  for (int proposition : state) {
    for (; before != state_.end() && *before < proposition; ++before) leave(*before);
    if (before != state_.end() && *before == proposition)
      ++before;
    else
      enter(proposition);
  }
  for (; before != state_.end(); ++before) leave(*before);
  settle(Extent::all, work_afresh_ / 2);
  is_complete_ = queue_.empty() && !is_saturated_;
  pause_ = is_complete_ ? 0 : next_pause_;
  next_pause_ = is_complete_ ? 1 : std::min(kLongestPause, next_pause_ * 2);
  return is_complete_;
}

// In the order of costs before or after, whichever is less: so nothing is counted on that is still to be raised.
void AdditiveCosts::settle(Extent extent, uint64_t most_work) {
  const size_t goal_operator = relaxation_.num_operators() - 1;
  for (int last = kUnreached; !queue_.empty() && work_ <= most_work;) {
    const auto [cost, proposition] = queue_.pop();
    if (cost > last) return;
    Proposition& entry = propositions_[proposition];
    if (entry.achiever == kUnknown) find_achiever(proposition);
    if (entry.offer == entry.cost) continue;
    if (cost < std::min(entry.offer, entry.cost))
      enqueue(proposition);
    else if (entry.offer < entry.cost)
      lower(proposition);
    else
      raise(proposition);
    if (extent == Extent::goals && totals_[goal_operator] < missing_) last = cost;
  }
}

void AdditiveCosts::lower(int proposition) {
  Proposition& entry = propositions_[proposition];
  const int64_t change = entry.offer - (entry.cost == kUnreached ? missing_ : entry.cost);
  entry.cost = entry.offer;
  const auto operators = relaxation_.precondition_of[proposition];
  count_work(operators.size());
  for (int op : operators) {
    totals_[op] += change;
    if (totals_[op] >= missing_) continue;
    const int cost = cost_of(op);
    for (int effect : relaxation_.effects[op]) take_offer(effect, op, cost);
  }
}

// Out of reach for now: what it costs is known when all that is cheaper is.
void AdditiveCosts::raise(int proposition) {
  Proposition& entry = propositions_[proposition];
  const int64_t change = missing_ - entry.cost;
  entry.cost = kUnreached;
  if (entry.offer != kUnreached) enqueue(proposition);
  const auto operators = relaxation_.precondition_of[proposition];
  count_work(operators.size());
  for (int op : operators) {
    totals_[op] += change;
    if (totals_[op] - change >= missing_) continue;
    for (int effect : relaxation_.effects[op]) {
      if (propositions_[effect].achiever != op) continue;
      propositions_[effect].achiever = kUnknown;
      enqueue(effect);
    }
  }
}

void AdditiveCosts::take_offer(int proposition, int op, int cost) {
  Proposition& entry = propositions_[proposition];
  if (cost == entry.offer && op < entry.achiever) entry.achiever = op;
  if (cost >= entry.offer) return;
  is_saturated_ |= cost == most_;
  entry.offer = cost;
  entry.achiever = op;
  enqueue(proposition);
}

void AdditiveCosts::find_achiever(int proposition) {
  Proposition& entry = propositions_[proposition];
  entry.offer = kUnreached;
  entry.achiever = Relaxation::kNone;
  const auto operators = relaxation_.effect_of[proposition];
  count_work(operators.size());
  for (int op : operators) {
    const int cost = cost_of(op);
    if (cost >= entry.offer) continue;
    entry.offer = cost;
    entry.achiever = op;
  }
}

void AdditiveCosts::enter(int proposition) {
  propositions_[proposition].offer = 0;
  propositions_[proposition].achiever = Relaxation::kNone;
  enqueue(proposition);
}

void AdditiveCosts::leave(int proposition) {
  propositions_[proposition].achiever = kUnknown;
  enqueue(proposition);
}

void AdditiveCosts::enqueue(int proposition) {
  const Proposition& entry = propositions_[proposition];
  queue_.push(std::min(entry.offer, entry.cost), proposition);
}

void AdditiveCosts::count_work(size_t operators) {
  poll(operators);
  work_ += operators;
}

}  // namespace liftq
