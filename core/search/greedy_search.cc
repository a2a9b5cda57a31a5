#include "search/greedy_search.h"

#include <limits>

#include "basics/watch.h"

namespace liftq {

GreedySearch::GreedySearch(Heuristics& heuristics, size_t step_limit, uint64_t landmark_work)
    : heuristics_(heuristics),
      engine_(heuristics.engine()),
      step_limit_(step_limit),
      landmark_work_(landmark_work),
      canonical_(engine_),
      h_ff_(Registry<HeuristicKind>::find("h_ff").make(heuristics.relaxation())) {
  const Actions& relevant = heuristics.relaxation().actions;
  for (size_t i = 0; i < relevant.count(); ++i) {
    poll();
    const int arity = static_cast<int>(relevant.arguments_of(i + 1) - relevant.arguments_of(i));
    actions_.intern(relevant.schema_of[i], relevant.arguments_of(i), arity);
  }
  num_relevant_ = static_cast<uint32_t>(actions_.size());
  preferred_in_.assign(num_relevant_, kNone);
  best_.fill(std::numeric_limits<int>::max());
}

Ending GreedySearch::run(StateId start, size_t most_states) {
  if (num_valued_ == 0 && heuristics_.relaxation().solvable) reach(start, {kNone, 0});
  while (goal_ == kNone && !open_.empty()) {
    poll(10);
    if (num_valued_ >= most_states) return Ending::step_limit;
    const Edge edge = open_.pop();
    const StateId parent = tree_.state(edge.parent);
    reach(engine_.successor(parent, actions_.predicate(edge.action), actions_.arguments(edge.action)), edge);
  }
  if (goal_ != kNone) return Ending::solved;
  return cut_ ? Ending::step_limit : Ending::unsolvable;
}

bool GreedySearch::is_new(StateId state) {
  const StateId key = canonical_.key(state);
  if (key >= visited_.size()) visited_.resize(engine_.states().size(), 0);
  const bool is_new = !visited_[key];
  visited_[key] = 1;
  return is_new;
}

void GreedySearch::reach(StateId state, Edge edge) {
  if (!is_new(state)) return;
  ++num_valued_;
  const std::span<const int> propositions = heuristics_.propositions(state);
  const int64_t h_ff = h_ff_->value(propositions);
  if (h_ff == Heuristic::kInfinite) return;
  const bool is_root = edge.parent == kNone;
  const Relaxation& relaxation = heuristics_.relaxation();
  if (is_root)
    landmarks_.emplace(relaxation, find_landmarks(relaxation, propositions, h_ff_->relaxed_plan(), landmark_work_));
  const uint32_t node = is_root ? tree_.add_root(state)
                                : tree_.add(state, edge.parent, actions_.predicate(edge.action),
                                            actions_.arguments(edge.action), actions_.arity(edge.action));
  const Open::Values values{static_cast<int>(std::min<int64_t>(h_ff, 1 << 30)),
                            landmarks_->add(edge.parent, propositions)};
  if (engine_.is_goal(state))
    goal_ = node;
  else if (tree_.depth(node) >= step_limit_)
    cut_ = true;
  else
    expand(state, node, values);
}

void GreedySearch::expand(StateId state, uint32_t node, const Open::Values& values) {
  bool is_progress = false;
  for (size_t i = 0; i < values.size(); ++i) {
    is_progress |= values[i] < best_[i];
    best_[i] = std::min(best_[i], values[i]);
  }
  if (is_progress) open_.boost();
  engine_.orbits(state, true, orbits_);
  mark_preferred(state, node);
  for (size_t orbit = 0; orbit < orbits_.count(); ++orbit) {
    const uint32_t action =
        actions_.find(orbits_.schema_of[orbit], orbits_.arguments_of(orbit), orbits_.arity_of(orbit));
    if (action < num_relevant_) open_.push(values, {node, action}, preferred_in_[action] == node);
  }
}

// Those of the relaxed plan that are applicable, each by the representative of its orbit.
void GreedySearch::mark_preferred(StateId state, uint32_t node) {
  const Actions& actions = heuristics_.relaxation().actions;
  const Twins& twins = engine_.twins(state);
  for (int op : h_ff_->relaxed_plan()) {
    const int relevant = heuristics_.relaxation().action_of[op];
    if (relevant < 0) continue;
    const auto arguments = actions.arguments[relevant];
    arguments_.assign(arguments.begin(), arguments.end());
    const int arity = static_cast<int>(arguments_.size());
    canonicalize(twins, arguments_.data(), arity);
    const uint32_t action = actions_.find(actions.schema_of[relevant], arguments_.data(), arity);
    if (action < num_relevant_) preferred_in_[action] = node;
  }
}

}  // namespace liftq
