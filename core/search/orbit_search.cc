#include "search/orbit_search.h"

#include <algorithm>
#include <cmath>

#include "basics/watch.h"

namespace liftq {

namespace {
constexpr double kSmallest = 1e-6;  // what a plan must be cheaper by: costs are sums of fractions
}

Ending OrbitSearch::run(StateId from) {
  reach(from, 0, kNone, 0, -1, nullptr, 0);
  while (!queue_.empty()) {
    poll(100);
    std::pop_heap(queue_.begin(), queue_.end());
    const uint32_t node = queue_.back().node;
    queue_.pop_back();
    if (best_[nodes_[node].key] != node || !value(node)) continue;
    if (engine_.is_goal(tree_.state(node))) {
      goal_ = node;
      return Ending::solved;
    }
    if (expansions_left_-- == 0) return Ending::step_limit;
    expand(node);
  }
  return Ending::unsolvable;
}

bool OrbitSearch::value(uint32_t index) {
  Node& node = nodes_[index];
  if (node.valued) return true;
  node.valued = true;
  const double bound = heuristics_.value(lm_cut_, tree_.state(index));
  if (bound <= node.bound) return true;
  node.bound = bound;
  if (!std::isinf(bound)) enqueue(index);
  return false;
}

void OrbitSearch::expand(uint32_t index) {
  const Node node = nodes_[index];
  const StateId state = tree_.state(index);
  engine_.orbits(state, true, orbits_);
  for (size_t orbit = 0; orbit < orbits_.count(); ++orbit) {
    const int schema = orbits_.schema_of[orbit];
    const int* arguments = orbits_.arguments_of(orbit);
    const double cost = action_cost(engine_.task(), schema, arguments);
    reach(engine_.successor(state, schema, arguments), node.cost + cost, index, std::max(0.0, node.bound - cost),
          schema, arguments, orbits_.arity_of(orbit));
  }
}

void OrbitSearch::reach(StateId state, double cost, uint32_t parent, double bound, int schema, const int* arguments,
                        int arity) {
  const StateId key = canonical_.key(state);
  if (key >= best_.size()) best_.resize(engine_.states().size(), kNone);
  const uint32_t known = best_[key];
  bool valued = false;
  if (known != kNone) {
    if (nodes_[known].cost <= cost) return;
    bound = std::max(bound, nodes_[known].bound);  // of a state that is the same but for names
    valued = nodes_[known].valued;
    if (std::isinf(bound)) return;
  }
  best_[key] = tree_.add(state, parent, schema, arguments, arity);
  nodes_.push_back({cost, bound, key, valued});
  enqueue(best_[key]);
}

void OrbitSearch::enqueue(uint32_t node) {
  if (nodes_[node].cost + nodes_[node].bound >= most_ - kSmallest) return;
  queue_.push_back({nodes_[node].cost + nodes_[node].bound, nodes_[node].bound, node});
  std::push_heap(queue_.begin(), queue_.end());
}

}  // namespace liftq
