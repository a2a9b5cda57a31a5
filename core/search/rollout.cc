#include "search/rollout.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "basics/watch.h"

namespace liftq {

namespace {
constexpr int64_t kTwinsTried = 10000;  // of a candidate whose own successor was visited
}

Ending Rollout::run(bool search_too) {
  const Ending ending = act(search_too);
  const bool gave_up =
      ending == Ending::dead_end || ending == Ending::no_unvisited_successor || ending == Ending::step_limit;
  return search_too && gave_up ? search() : ending;
}

Ending Rollout::act(bool keep_values) {
  uint32_t node = add_node(engine_.initial_state(), kNone, -1, nullptr, 0);
  while (true) {
    if (engine_.is_goal(nodes_[node].state)) return Ending::solved;
    if (nodes_[node].depth >= step_limit_) return Ending::step_limit;
    look();
    expand(node, keep_values);
    if (nodes_[node].num_values == 0) return Ending::dead_end;
    uint32_t child = kNone;
    for (uint64_t c = best_candidate(node); child == kNone && c < nodes_[node].num_values; c = best_candidate(node)) {
      values_[nodes_[node].first_value + c] = kTried;
      child = try_action(node, orbits_.schema_of[c], orbits_.arguments_of(c), orbits_.arity_of(c));
      if (child == kNone) child = child_by_twin(node, c);
    }
    if (child == kNone) return Ending::no_unvisited_successor;
    node = child;
  }
}

Ending Rollout::search() {
  searched_ = true;
  bool cut = false;  // some node was not expanded because of the step limit
  for (uint32_t node = 0; node < nodes_.size(); ++node) enqueue(node);
  cut = nodes_.back().depth >= step_limit_;
  while (!queue_.empty()) {
    poll(100);
    std::pop_heap(queue_.begin(), queue_.end());
    const uint32_t node = queue_.back().node;
    queue_.pop_back();
    const uint32_t child = best_child(node);
    enqueue(node);
    if (child == kNone) continue;
    if (engine_.is_goal(nodes_[child].state)) return Ending::solved;
    if (nodes_[child].depth >= step_limit_)
      cut = true;
    else
      expand(child, true);
    enqueue(child);
  }
  return cut ? Ending::step_limit : Ending::unsolvable;
}

void Rollout::expand(uint32_t node, bool keep_values) {
  if (!keep_values) values_.clear();
  open_node_ = node;
  valuer_.value(engine_, nodes_[node].state, orbits_, new_values_);
  nodes_[node].first_value = values_.size();
  nodes_[node].num_values = new_values_.size();
  for (float value : new_values_)  // what is no number or beyond all bounds comes last, but can be tried
    values_.push_back(value < std::numeric_limits<float>::max() ? value : std::numeric_limits<float>::max());
  ++num_expanded_;
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
  values_[nodes_[node].first_value + candidate] = kTried;
  open(node);
  return try_action(node, orbits_.schema_of[candidate], orbits_.arguments_of(candidate), orbits_.arity_of(candidate));
}

// Another action of the orbit may lead to a state that was not visited, though its twin was.
uint32_t Rollout::child_by_twin(uint32_t node, uint64_t candidate) {
  const int arity = orbits_.arity_of(candidate);
  if (orbits_.sizes[candidate] == 1 || orbits_.sizes[candidate] > kTwinsTried) return kNone;
  const Twins& twins = engine_.twins(nodes_[node].state);
  const std::vector<int> members = orbit_members(twins, orbits_.arguments_of(candidate), arity);
  for (size_t first = 0; first < members.size(); first += static_cast<size_t>(arity)) {
    const uint32_t child = try_action(node, orbits_.schema_of[candidate], members.data() + first, arity);
    if (child != kNone) return child;
  }
  return kNone;
}

uint32_t Rollout::try_action(uint32_t node, int schema, const int* arguments, int arity) {
  const StateId state = engine_.successor(nodes_[node].state, schema, arguments);
  if (state < visited_.size() && visited_[state]) return kNone;
  return add_node(state, node, schema, arguments, arity);
}

uint32_t Rollout::add_node(StateId state, uint32_t parent, int schema, const int* arguments, int arity) {
  if (state >= visited_.size()) visited_.resize(engine_.states().size(), 0);
  visited_[state] = 1;
  const uint32_t depth = parent == kNone ? 0 : nodes_[parent].depth + 1;
  nodes_.push_back({state, parent, depth, schema, arguments_.size(), values_.size(), 0});
  arguments_.insert(arguments_.end(), arguments, arguments + arity);
  return static_cast<uint32_t>(nodes_.size() - 1);
}

void Rollout::open(uint32_t node) {
  if (open_node_ == node) return;
  engine_.orbits(nodes_[node].state, valuer_.compress(), orbits_);
  open_node_ = node;
}

void Rollout::enqueue(uint32_t node) {
  const uint64_t candidate = best_candidate(node);
  if (candidate == nodes_[node].num_values) return;
  queue_.push_back({values_[nodes_[node].first_value + candidate], node});
  std::push_heap(queue_.begin(), queue_.end());
}

std::vector<Step> Rollout::plan() const {
  std::vector<Step> steps;
  for (uint32_t node = static_cast<uint32_t>(nodes_.size() - 1); nodes_[node].parent != kNone;
       node = nodes_[node].parent) {
    const uint64_t last = node + 1 < nodes_.size() ? nodes_[node + 1].first_argument : arguments_.size();
    steps.push_back({nodes_[node].schema,
                     std::vector<int>(arguments_.begin() + nodes_[node].first_argument, arguments_.begin() + last)});
  }
  std::reverse(steps.begin(), steps.end());
  return steps;
}

}  // namespace liftq
