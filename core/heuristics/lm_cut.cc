#include "heuristics/lm_cut.h"

#include <algorithm>
#include <limits>

namespace liftq {

namespace {

constexpr int kUnreached = Exploration::kUnreached;

const Registry<HeuristicKind> lm_cut("lm_cut", {true,
                                                "A sum of landmarks (Helmert & Domshlak, ICAPS 2009), at least h_max; "
                                                "the values of Fast Downward, up to ties.",
                                                make_heuristic<LmCut>});

}  // namespace

LmCut::LmCut(const Relaxation& relaxation) : relaxation_(relaxation), h_max_(relaxation) {
  fresh_.reserve(relaxation.num_operators());
  for (size_t op = 0; op < relaxation.num_operators(); ++op) {
    const int num_preconditions = static_cast<int>(relaxation.preconditions[op].size());
    fresh_.push_back({relaxation.costs[op], num_preconditions, Relaxation::kNone, kUnreached, 0});
  }
  fresh_num_free_achievers_.assign(relaxation.num_propositions(), 0);
  for (size_t op = 0; op < relaxation.num_operators(); ++op)
    if (relaxation.costs[op] == 0)
      for (int effect : relaxation.effects[op]) ++fresh_num_free_achievers_[effect];
  zone_.assign(relaxation.num_propositions(), 0);
  has_siblings_ = relaxation.actions.count() + relaxation.num_rules() + 1 < relaxation.num_operators();
  is_cut_.assign(has_siblings_ ? relaxation.num_operators() : 0, 0);
}

int64_t LmCut::add_cuts(std::span<const int> state, std::vector<Cut>* cuts) {
  explore(state);
  if (h_max_.goal_value() == kInfinite) return kInfinite;
  num_free_achievers_ = fresh_num_free_achievers_;
  const int64_t h_max = h_max_.goal_value();
  int64_t value = 0;
  while (h_max_.goal_value() > 0) {
    next_round();
    mark_goal_zone();
    find_cut(state);
    int least = kUnreached;
    for (int op : cut_) least = std::min(least, operators_[op].cost);
    if (cuts) cuts->push_back({least, cut_});
    if (has_siblings_) add_siblings();
    lower_costs(least);
    value += least;
    update_after_cut();
  }
  return std::max(value, h_max);  // which is less only if there are siblings
}

// One action may be behind several operators of several cuts, and must be paid for once.
void LmCut::add_siblings() {
  for (int op : cut_) is_cut_[op] = 1;
  for (size_t i = 0, count = cut_.size(); i < count; ++i)
    for (int sibling : relaxation_.operators_of[relaxation_.action_of[cut_[i]]]) {
      if (is_cut_[sibling] || operators_[sibling].supporter == Relaxation::kNone) continue;
      is_cut_[sibling] = 1;
      cut_.push_back(sibling);
    }
  for (int op : cut_) is_cut_[op] = 0;
}

void LmCut::enqueue_effects(int op, int cost) {
  for (int effect : relaxation_.effects[op]) h_max_.lower(effect, cost);
}

// An operator counts once the last of its preconditions, which is a most expensive one, leaves the queue.
void LmCut::explore(std::span<const int> state) {
  operators_ = fresh_;
  path_.clear();
  stack_.clear();
  h_max_.start(state);
  h_max_.run([&](int op, int proposition, int cost) {
    Operator& entry = operators_[op];
    if (--entry.num_missing > 0) return;
    entry.supporter = proposition;
    entry.supporter_cost = cost;
    enqueue_effects(op, cost + entry.cost);
  });
}

void LmCut::update_after_cut() {
  for (int op : cut_) enqueue_effects(op, operators_[op].supporter_cost + operators_[op].cost);
  h_max_.run([&](int op, int proposition, int cost) {
    Operator& entry = operators_[op];
    if (entry.supporter != proposition || entry.supporter_cost <= cost) return;
    const int old_cost = entry.supporter_cost;
    update_supporter(op);
    if (entry.supporter_cost < old_cost) enqueue_effects(op, entry.supporter_cost + entry.cost);
  });
}

void LmCut::update_supporter(int op) {
  Operator& entry = operators_[op];
  entry.supporter_cost = h_max_.cost(entry.supporter);
  for (int precondition : relaxation_.preconditions[op]) {
    if (h_max_.cost(precondition) <= entry.supporter_cost) continue;
    entry.supporter = precondition;
    entry.supporter_cost = h_max_.cost(precondition);
  }
}

void LmCut::lower_costs(int amount) {
  for (int op : cut_) {
    operators_[op].cost -= amount;
    if (operators_[op].cost > 0) continue;
    for (int effect : relaxation_.effects[op]) ++num_free_achievers_[effect];
  }
}

// Backwards from the goal, along supporters of operators that are free by now. A free operator out of reach has none.
void LmCut::mark_goal_zone() {
  entering_.clear();
  enter_goal_zone(relaxation_.goal());
  while (!path_.empty()) {
    Entry& last = path_.back();
    const auto achievers = relaxation_.effect_of[last.proposition];
    if (last.next == achievers.size()) {
      path_.pop_back();
      continue;
    }
    poll();
    const int op = achievers[last.next++];
    Operator& entry = operators_[op];
    if (entry.zone != goal_zone_) entering_.push_back(op);
    entry.zone = goal_zone_;
    if (entry.cost > 0 || entry.supporter == Relaxation::kNone) continue;
    prefer_small_zone(op);
    enter_goal_zone(entry.supporter);
  }
}

void LmCut::enter_goal_zone(int proposition) {
  if (zone_[proposition] == goal_zone_) return;
  zone_[proposition] = goal_zone_;
  path_.push_back({proposition, 0});
}

// Among the costliest preconditions, one that is in the zone already, or from which the zone does not extend further.
void LmCut::prefer_small_zone(int op) {
  Operator& entry = operators_[op];
  for (int precondition : relaxation_.preconditions[op]) {
    if (h_max_.cost(precondition) != entry.supporter_cost) continue;
    if (num_free_achievers_[precondition] > 0 && zone_[precondition] != goal_zone_) continue;
    entry.supporter = precondition;
    return;
  }
}

// Forward from the state, along supporters: operators that lead into the goal zone are the cut. The search may stop
// once it has all those whose supporters are outside.
void LmCut::find_cut(std::span<const int> state) {
  const size_t most = std::count_if(entering_.begin(), entering_.end(), [&](int op) {
    const int supporter = operators_[op].supporter;
    return supporter != Relaxation::kNone && zone_[supporter] != goal_zone_;
  });
  cut_.clear();
  zone_[relaxation_.truth()] = before_zone_;
  stack_.push_back(relaxation_.truth());
  for (int proposition : state) {
    zone_[proposition] = before_zone_;
    stack_.push_back(proposition);
  }
  while (!stack_.empty() && cut_.size() < most) {
    const int proposition = stack_.back();
    stack_.pop_back();
    poll(relaxation_.precondition_of[proposition].size());
    leave(proposition);
  }
  stack_.clear();
}

void LmCut::leave(int proposition) {
  for (int op : relaxation_.precondition_of[proposition]) {
    if (operators_[op].supporter != proposition) continue;
    if (operators_[op].zone == goal_zone_) {
      cut_.push_back(op);
      continue;
    }
    for (int effect : relaxation_.effects[op]) {
      if (zone_[effect] == before_zone_) continue;
      zone_[effect] = before_zone_;
      stack_.push_back(effect);
    }
  }
}

void LmCut::next_round() {
  if (before_zone_ == std::numeric_limits<uint32_t>::max() - 1) {
    zone_.assign(zone_.size(), 0);
    for (Operator& entry : operators_) entry.zone = 0;
    before_zone_ = 0;
  }
  goal_zone_ = before_zone_ + 1;
  before_zone_ = goal_zone_ + 1;
}

}  // namespace liftq
