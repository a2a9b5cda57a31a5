#include "search/rollout.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "basics/status.h"
#include "basics/watch.h"

namespace liftq {

namespace {
constexpr int64_t kTwinsTried = 10000;  // of a candidate whose own successor was visited
}  // namespace

std::vector<bool> Rollout::valued() const {
  std::vector<bool> valued;
  for (uint32_t node = tree_.parent(newest()); node != kNone; node = tree_.parent(node))
    valued.push_back(nodes_[node].is_expanded);
  return {valued.rbegin(), valued.rend()};
}

std::optional<Ending> Rollout::act(uint64_t least_work) {
  if (acts_at_ == kNone) acts_at_ = add_node(engine_.initial_state(), kNone, -1, nullptr, 0);
  for (const uint64_t before = work_done();; acts_at_ = newest()) {
    const uint32_t node = acts_at_;
    if (engine_.is_goal(tree_.state(node))) return Ending::solved;
    if (tree_.depth(node) >= step_limit_) return Ending::step_limit;
    look();
    if (bound_) {
      const std::optional<Ending> ending = bound_->ending(tree_.state(node), tree_.depth(node));
      if (ending) return ending;
    }
    if (nodes_[node].is_expanded)
      open(node);
    else
      expand(node);
    if (nodes_[node].num_values == 0) return Ending::dead_end;
    if (progress_.is_lost() && work_done() - before >= least_work) return std::nullopt;
    rank(node);
    if (take_best(node) == kNone) return Ending::no_unvisited_successor;
    if (acting_.most > 1) take_others(node);
  }
}

void Rollout::rank(uint32_t node) {
  const float* values = values_.data() + nodes_[node].first_value;
  const uint64_t count = nodes_[node].num_values;
  ranking_.clear();
  num_taken_ = 0;
  for (uint32_t c = 0; c < count; ++c) {
    double value = values[c];
    if (values[c] == kTried) continue;
    if (acting_.price > 0)
      value += acting_.price * repetition_.times(orbits_.schema_of[c], orbits_.arguments_of(c), orbits_.arity_of(c));
    ranking_.push_back({value, c});
  }
  std::make_heap(ranking_.begin(), ranking_.end());
}

Rollout::Ranked Rollout::next_ranked() {
  poll(10);
  std::pop_heap(ranking_.begin(), ranking_.end());
  const Ranked next = ranking_.back();
  ranking_.pop_back();
  return next;
}

uint32_t Rollout::take_best(uint32_t node) {
  uint32_t child = kNone;
  while (child == kNone && !ranking_.empty()) {
    best_ = next_ranked();
    values_[nodes_[node].first_value + best_.candidate] = kTried;
    child = try_candidate(node, best_.candidate, orbits_.arguments_of(best_.candidate));
    if (child == kNone) child = child_by_twin(node, best_.candidate);
  }
  if (child != kNone) note_taken(best_);
  return child;
}

// All are applicable in the state that was valued, and independent: so each is applicable after the others.
void Rollout::take_others(uint32_t node) {
  independent_.begin(tree_.state(node));
  independent_.admits(tree_.schema(newest()), tree_.arguments(newest()));
  independent_.add();
  take_members(best_);
  const double limit = best_.value + std::max(acting_.gap, acting_.relative_gap * std::abs(best_.value));
  while (may_take_more() && !ranking_.empty() && ranking_.front().value <= limit) {
    const Ranked next = next_ranked();
    take_together(next, orbits_.arguments_of(next.candidate), false);
    take_members(next);
  }
}

// The value of an orbit is that of taking one of its actions: others need purposes of their own.
void Rollout::take_members(const Ranked& ranked) {
  const std::vector<int> arguments = members(ranked.candidate);
  const size_t arity = static_cast<size_t>(orbits_.arity_of(ranked.candidate));
  for (size_t first = 0; first < arguments.size() && may_take_more(); first += arity)
    take_together(ranked, arguments.data() + first, true);
}

void Rollout::take_together(const Ranked& ranked, const int* arguments, bool needs_purpose) {
  if (!independent_.admits(orbits_.schema_of[ranked.candidate], arguments)) return;
  if (needs_purpose && !independent_.has_purpose()) return;
  if (try_candidate(newest(), ranked.candidate, arguments) == kNone) return;
  independent_.add();
  note_taken(ranked);
}

bool Rollout::may_take_more() {
  const uint32_t last = newest();
  if (num_taken_ >= acting_.most || static_cast<double>(num_taken_) >= acting_.share * best_.value) return false;
  return tree_.depth(last) < step_limit_ && !engine_.is_goal(tree_.state(last));
}

void Rollout::note_taken(const Ranked& ranked) {
  const uint32_t node = newest();
  ++num_taken_;
  nodes_[node].value = static_cast<float>(ranked.value);
  if (acting_.price > 0) repetition_.count(tree_.schema(node), tree_.arguments(node), tree_.arity(node));
}

std::optional<Ending> Rollout::search(size_t most_passes) {
  const size_t last_pass = num_expanded_ + most_passes;
  while (num_expanded_ < last_pass) {
    poll(100);
    for (; num_enqueued_ < tree_.size(); ++num_enqueued_) enqueue(num_enqueued_);
    if (queue_.empty()) return cut_ ? Ending::step_limit : Ending::unsolvable;
    std::pop_heap(queue_.begin(), queue_.end());
    const uint32_t node = queue_.back().node;
    queue_.pop_back();
    uint32_t last = node;  // of those that this pass leads to
    if (nodes_[node].is_expanded) last = take_next(node);
    if (last != kNone && engine_.is_goal(tree_.state(last))) return Ending::solved;
    if (last != kNone && tree_.depth(last) < step_limit_) expand(last);
    enqueue(node);
    if (last != kNone && progress_.is_closer()) {
      acts_at_ = last;
      return std::nullopt;
    }
  }
  return std::nullopt;
}

// The best candidate that is left, and others beside it.
uint32_t Rollout::take_next(uint32_t node) {
  if (best_child(node) == kNone) return kNone;
  if (acting_.most > 1) {
    rank(node);
    note_taken(best_);
    take_others(node);
  }
  return newest();
}

bool Rollout::follow(uint32_t node, const std::vector<Step>& plan) {
  bool is_new = false;
  for (const Step& step : plan) {
    const StateId state = engine_.successor(tree_.state(node), step.schema, step.arguments.data());
    is_new = !is_visited(state);
    node = add_node(state, node, step.schema, step.arguments.data(), static_cast<int>(step.arguments.size()));
    nodes_[node].value = progress_.best();
  }
  acts_at_ = node;
  progress_.restart();
  return is_new;
}

void Rollout::expand(uint32_t node) {
  if (!keep_values_) values_.clear();
  open_node_ = node;
  valuer_.value(tree_.state(node), orbits_, new_values_);
  nodes_[node].first_value = values_.size();
  nodes_[node].num_values = new_values_.size();
  nodes_[node].is_expanded = true;
  for (float value : new_values_)  // what is no number or beyond all bounds comes last, but can be tried
    values_.push_back(value < std::numeric_limits<float>::max() ? value : std::numeric_limits<float>::max());
  ++num_expanded_;
  if (new_values_.empty()) return;
  progress_.see(node, *std::min_element(new_values_.begin(), new_values_.end()));
  if (progress_.is_closer()) repetition_.forgive();
  if (status) {
    status->steps = tree_.depth(node);
    ++status->passes;
    status->best_value = progress_.best();
  }
}

uint64_t Rollout::best_candidate(uint32_t node) const {
  const Node& entry = nodes_[node];
  poll(entry.num_values / 8);
  const float* values = values_.data() + entry.first_value;
  const float* best = std::min_element(values, values + entry.num_values);
  return best == values + entry.num_values || *best == kTried ? entry.num_values : best - values;
}

uint32_t Rollout::best_child(uint32_t node) {
  const uint64_t candidate = best_candidate(node);
  if (candidate == nodes_[node].num_values) return kNone;
  float& value = values_[nodes_[node].first_value + candidate];
  best_ = {value, static_cast<uint32_t>(candidate)};
  value = kTried;
  open(node);
  return try_candidate(node, candidate, orbits_.arguments_of(candidate));
}

// Another action of the orbit may lead to a state that was not visited, though its twin was.
uint32_t Rollout::child_by_twin(uint32_t node, uint64_t candidate) {
  const std::vector<int> arguments = members(candidate);
  const size_t arity = static_cast<size_t>(orbits_.arity_of(candidate));
  uint32_t child = kNone;
  for (size_t first = 0; child == kNone && first < arguments.size(); first += arity)
    child = try_candidate(node, candidate, arguments.data() + first);
  return child;
}

std::vector<int> Rollout::members(uint64_t candidate) {
  if (orbits_.sizes[candidate] == 1 || orbits_.sizes[candidate] > kTwinsTried) return {};
  const Twins& twins = engine_.twins(tree_.state(open_node_));
  return orbit_members(twins, orbits_.arguments_of(candidate), orbits_.arity_of(candidate));
}

uint32_t Rollout::try_candidate(uint32_t node, uint64_t candidate, const int* arguments) {
  const int schema = orbits_.schema_of[candidate];
  const StateId state = engine_.successor(tree_.state(node), schema, arguments);
  if (is_visited(state)) return kNone;
  return add_node(state, node, schema, arguments, orbits_.arity_of(candidate));
}

uint32_t Rollout::add_node(StateId state, uint32_t parent, int schema, const int* arguments, int arity) {
  if (state >= visited_.size()) visited_.resize(engine_.states().size(), 0);
  visited_[state] = 1;
  nodes_.push_back({values_.size(), 0, 0, false});
  return tree_.add(state, parent, schema, arguments, arity);
}

void Rollout::open(uint32_t node) {
  if (open_node_ == node) return;
  engine_.orbits(tree_.state(node), valuer_.compress(), orbits_);
  open_node_ = node;
}

void Rollout::enqueue(uint32_t node) {
  if (tree_.depth(node) >= step_limit_) {
    cut_ = true;
    return;
  }
  const uint64_t candidate = best_candidate(node);
  const bool has_candidate = candidate < nodes_[node].num_values;
  if (nodes_[node].is_expanded && !has_candidate) return;
  const float value = has_candidate ? values_[nodes_[node].first_value + candidate] : nodes_[node].value;
  queue_.push_back({value, node});
  std::push_heap(queue_.begin(), queue_.end());
}

}  // namespace liftq
