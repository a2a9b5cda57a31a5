#include "search/greedy_search.h"

#include <algorithm>
#include <numeric>

#include "basics/status.h"
#include "basics/watch.h"

namespace liftq {

namespace {
constexpr size_t kStatesPerPass = 10;  // where policy and heuristics take turns: about what a pass costs
constexpr size_t kPatience = 50;       // turns that a policy has at once after its values
constexpr float kImprovement = 0.5F;   // improved by this
constexpr float kBuckets = 16;         // of its queue, for values that differ by 1
constexpr float kWorst = 2000;         // whatever is no number or beyond, dead ends among them
constexpr int kMostHFF = 1 << 12;      // larger values count as equal where novel states come first
}  // namespace

GreedySearch::GreedySearch(Heuristics& heuristics, size_t step_limit, uint64_t landmark_work, Valuer* policy)
    : heuristics_(heuristics),
      engine_(heuristics.engine()),
      step_limit_(step_limit),
      landmark_work_(landmark_work),
      policy_(policy),
      visited_(engine_),
      h_ff_(Registry<HeuristicKind>::find("h_ff").make(heuristics.relaxation())),
      novelty_(heuristics.relaxation().num_propositions()) {
  const Actions& relevant = heuristics.relaxation().actions;
  for (size_t i = 0; i < relevant.count(); ++i) {
    poll();
    actions_.intern(relevant.schema_of[i], relevant.arguments_of(i), relevant.arity_of(i));
  }
  num_relevant_ = static_cast<uint32_t>(actions_.size());
  preferred_in_.assign(num_relevant_, kNone);
}

GreedySearch::GreedySearch(const GreedySearch& first, uint32_t seed)
    : GreedySearch(first.heuristics_, first.step_limit_, first.landmark_work_,
                   seed == 0 || seed % 2 == 1 ? nullptr : first.policy_) {
  if (first.landmarks_) known_landmarks_ = &first.landmarks_->landmarks();
  if (seed == 0) return;
  is_exploring_ = true;
  open_ = Open(true);
  by_h_ff_alone_ = seed % 2 == 1;
  generator_.seed(seed);
}

Ending GreedySearch::run(StateId start, size_t most_states) {
  if (num_valued_ == 0 && heuristics_.relaxation().solvable) reach(start, {kNone, 0});
  while (goal_ == kNone && !open_.empty()) {
    poll(10);
    if (num_valued_ >= most_states) return Ending::step_limit;
    const Edge edge = next();
    const StateId parent = tree_.state(edge.parent);
    reach(engine_.successor(parent, actions_.predicate(edge.action), actions_.arguments(edge.action)), edge);
  }
  if (goal_ != kNone) return Ending::solved;
  return cut_ ? Ending::step_limit : Ending::unsolvable;
}

// All edges are in the open list, too.
Edge GreedySearch::next() {
  is_policys_turn_ = !by_policy_.empty() && (turns_of_policy_ > 0 || ++turn_ % kStatesPerPass == 0);
  return is_policys_turn_ ? next_of_policy() : open_.pop();
}

Edge GreedySearch::next_of_policy() {
  if (turns_of_policy_ == 0 || latest_.empty()) return by_policy_.pop();
  --turns_of_policy_;
  const Edge edge = latest_.back();
  latest_.pop_back();
  return edge;
}

void GreedySearch::reach(StateId state, Edge edge) {
  if (!visited_.add(state)) return;
  ++num_valued_;
  if (status) ++status->states;
  const std::span<const int> propositions = heuristics_.propositions(state);
  const int64_t h_ff = h_ff_->value(propositions);
  if (h_ff == Heuristic::kInfinite) return;
  const bool is_root = edge.parent == kNone;
  const Relaxation& relaxation = heuristics_.relaxation();
  if (is_root)
    landmarks_.emplace(
        relaxation, known_landmarks_ ? *known_landmarks_
                                     : find_landmarks(relaxation, propositions, h_ff_->relaxed_plan(), landmark_work_));
  const uint32_t node = is_root ? tree_.add_root(state)
                                : tree_.add(state, edge.parent, actions_.predicate(edge.action),
                                            actions_.arguments(edge.action), actions_.arity(edge.action));
  const Open::Values values = values_of(edge.parent, propositions, h_ff);
  if (engine_.is_goal(state))
    goal_ = node;
  else if (tree_.depth(node) >= step_limit_)
    cut_ = true;
  else
    expand(state, node, values);
}

GreedySearch::Open::Values GreedySearch::values_of(uint32_t parent, std::span<const int> facts, int64_t large_h_ff) {
  const auto h_ff = static_cast<int>(std::min<int64_t>(large_h_ff, 1 << 30));
  const int landmarks = landmarks_->add(parent, facts);
  const bool is_novel = novelty_.see(facts, h_ff);
  if (by_h_ff_alone_) return {h_ff, h_ff, h_ff};
  return {h_ff, landmarks, std::min(h_ff, kMostHFF) + (is_novel ? 0 : kMostHFF)};
}

void GreedySearch::expand(StateId state, uint32_t node, const Open::Values& values) {
  const bool is_progress = values[0] < best_h_ff_ || values[1] < best_landmarks_;
  best_h_ff_ = std::min(best_h_ff_, values[0]);
  best_landmarks_ = std::min(best_landmarks_, values[1]);
  if (is_progress && status) status->best_h_ff = std::min(status->best_h_ff.load(), static_cast<float>(best_h_ff_));
  if (is_progress) {
    open_.boost();
    last_progress_ = num_valued_;
  }
  engine_.orbits(state, true, orbits_);
  mark_preferred(state, node);
  if (policy_ && (is_policys_turn_ || is_progress)) ask_policy(state, node);
  order_.resize(orbits_.count());
  std::iota(order_.begin(), order_.end(), 0);
  if (is_exploring_) std::ranges::shuffle(order_, generator_);
  for (uint32_t orbit : order_) {
    const uint32_t action =
        actions_.find(orbits_.schema_of[orbit], orbits_.arguments_of(orbit), orbits_.arity_of(orbit));
    if (action < num_relevant_) open_.push(values, tree_.depth(node), {node, action}, preferred_in_[action] == node);
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

void GreedySearch::ask_policy(StateId state, uint32_t node) {
  policy_->value(state, orbits_, action_values_);
  ++num_passes_;
  ranking_.clear();
  for (size_t orbit = orbits_.count(); orbit-- > 0;) {  // of equals, the first is the best
    const uint32_t action =
        actions_.find(orbits_.schema_of[orbit], orbits_.arguments_of(orbit), orbits_.arity_of(orbit));
    const float value = action_values_[orbit] < kWorst ? std::max(0.0F, action_values_[orbit]) : kWorst;
    if (action < num_relevant_) ranking_.emplace_back(-value, action);
  }
  if (ranking_.empty()) return;
  std::ranges::stable_sort(ranking_, {}, [](const auto& each) { return each.first; });
  latest_.clear();
  for (const auto& [negative, action] : ranking_) {
    latest_.push_back({node, action});
    by_policy_.push(static_cast<int>(-negative * kBuckets), latest_.back());
  }
  preferred_in_[latest_.back().action] = node;
  const float best = -ranking_.back().first;
  if (best > best_of_policy_ - kImprovement) return;
  best_of_policy_ = best;
  turns_of_policy_ = kPatience;
}

}  // namespace liftq
