#include "search/novelty_search.h"

#include <algorithm>
#include <utility>

#include "basics/status.h"
#include "basics/watch.h"
#include "search/greedy_search.h"

namespace liftq {

namespace {
constexpr size_t kPairsPerWork = 4;
constexpr size_t kPairsOfAll = 150;  // facts up to which all pairs are looked at where paths enter another class
}  // namespace

NoveltySearch::NoveltySearch(Heuristics& heuristics, size_t step_limit, std::optional<Landmarks> landmarks)
    : heuristics_(heuristics),
      engine_(heuristics.engine()),
      step_limit_(step_limit),
      visited_(engine_),
      h_ff_(Registry<HeuristicKind>::find("h_ff").make(heuristics.relaxation())),
      holds_in_(heuristics.relaxation().num_propositions(), kNone) {
  const Actions& relevant = heuristics.relaxation().actions;
  for (size_t i = 0; i < relevant.count(); ++i) {
    poll();
    actions_.intern(relevant.schema_of[i], relevant.arguments_of(i), relevant.arity_of(i));
  }
  num_relevant_ = static_cast<uint32_t>(actions_.size());
  if (landmarks) landmarks_.emplace(heuristics.relaxation(), *std::move(landmarks));
}

Ending NoveltySearch::run(StateId start, size_t most_states) {
  if (num_valued_ == 0 && heuristics_.relaxation().solvable) {
    if (!landmarks_) look_for_landmarks(start);
    see(start, {kNone, 0});
  }
  while (goal_ == kNone && !open_.empty()) {
    poll(10);
    if (num_valued_ >= most_states) return Ending::step_limit;
    expand(open_.pop().parent);
  }
  if (goal_ != kNone) return Ending::solved;
  return cut_ ? Ending::step_limit : Ending::unsolvable;
}

void NoveltySearch::look_for_landmarks(StateId start) {
  const std::span<const int> facts = heuristics_.propositions(start);
  h_ff_->value(facts);
  const Relaxation& relaxation = heuristics_.relaxation();
  landmarks_.emplace(relaxation, find_landmarks(relaxation, facts, h_ff_->relaxed_plan(), GreedySearch::kLandmarkWork));
}

void NoveltySearch::expand(uint32_t node) {
  const StateId state = tree_.state(node);
  for (int fact : heuristics_.propositions(state)) holds_in_[fact] = node;
  engine_.orbits(state, true, orbits_);
  successors_.clear();
  for (size_t orbit = 0; orbit < orbits_.count(); ++orbit) {
    const uint32_t action =
        actions_.find(orbits_.schema_of[orbit], orbits_.arguments_of(orbit), orbits_.arity_of(orbit));
    if (action < num_relevant_)
      successors_.emplace_back(engine_.successor(state, orbits_.schema_of[orbit], orbits_.arguments_of(orbit)), action);
  }
  for (const auto& [successor, action] : successors_) {
    if (goal_ == kNone) see(successor, {node, action});
  }
}

void NoveltySearch::see(StateId state, Edge edge) {
  if (!visited_.add(state)) return;
  poll(10);
  ++num_valued_;
  if (status) ++status->states;
  const std::span<const int> facts = heuristics_.propositions(state);
  const bool is_root = edge.parent == kNone;
  const int landmarks = landmarks_->add(edge.parent, facts);
  const uint32_t node = is_root ? tree_.add_root(state)
                                : tree_.add(state, edge.parent, actions_.predicate(edge.action),
                                            actions_.arguments(edge.action), actions_.arity(edge.action));
  new_facts_.clear();
  for (int fact : facts)
    if (is_root || holds_in_[fact] != edge.parent) new_facts_.push_back(fact);
  const bool is_closer = is_root || landmarks < nodes_[edge.parent].landmarks;
  const bool is_dead_end = is_closer && !make_relaxed_plan(facts);
  nodes_.push_back(is_closer ? Node{achieved_.size(), static_cast<uint32_t>(relaxed_plans_.count()) - 1, landmarks, 0}
                             : successor_of(edge.parent, landmarks, new_facts_));
  if (is_closer) achieved_.resize(achieved_.size() + (plan_facts_.size() + 63) / 64, 0);
  if (is_dead_end) return;
  if (engine_.is_goal(state)) {
    goal_ = node;
    return;
  }
  if (tree_.depth(node) >= step_limit_) {
    cut_ = true;
    return;
  }
  const Node& entry = nodes_.back();
  const bool enters_class =
      is_closer || entry.num_achieved != nodes_[edge.parent].num_achieved || landmarks != nodes_[edge.parent].landmarks;
  const std::span<const int> singles = enters_class ? facts : new_facts_;
  const std::span<const int> partners = facts.size() <= kPairsOfAll ? singles : new_facts_;
  poll(facts.size() * partners.size() / kPairsPerWork);
  const uint64_t state_class = static_cast<uint64_t>(landmarks) << 32 | entry.num_achieved;
  const Novelty::Degree degree = novelty_.see(state_class, facts, singles, partners);
  const int num_landmarks = static_cast<int>(landmarks_->landmarks().count());
  open_.push(degree * (num_landmarks + 1) + landmarks, {node, 0});
}

// Its facts that do not hold yet. False if there is none.
bool NoveltySearch::make_relaxed_plan(std::span<const int> facts) {
  plan_facts_.clear();
  const bool is_reachable = h_ff_->value(facts) != Heuristic::kInfinite;
  if (is_reachable) {
    const Lists<>& effects = heuristics_.relaxation().effects;
    for (int op : h_ff_->relaxed_plan())
      for (int fact : effects[op])
        if (!std::ranges::binary_search(facts, fact)) plan_facts_.push_back(fact);
    std::ranges::sort(plan_facts_);
    plan_facts_.erase(std::ranges::unique(plan_facts_).begin(), plan_facts_.end());
  }
  relaxed_plans_.append(plan_facts_);
  return is_reachable;
}

NoveltySearch::Node NoveltySearch::successor_of(uint32_t parent, int landmarks, std::span<const int> new_facts) {
  Node node = nodes_[parent];
  const auto plan = relaxed_plans_[node.relaxed_plan];
  const size_t num_words = (plan.size() + 63) / 64;
  const uint64_t above = std::exchange(node.achieved, achieved_.size());
  node.landmarks = landmarks;
  for (size_t word = 0; word < num_words; ++word) achieved_.push_back(achieved_[above + word]);
  for (int fact : new_facts) {
    const auto place = std::ranges::lower_bound(plan, fact) - plan.begin();
    if (static_cast<size_t>(place) == plan.size() || plan[place] != fact) continue;
    uint64_t& word = achieved_[node.achieved + place / 64];
    const uint64_t bit = uint64_t{1} << place % 64;
    node.num_achieved += !(word & bit);
    word |= bit;
  }
  return node;
}

}  // namespace liftq
