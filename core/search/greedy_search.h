// Greedy best-first search, as in the first iteration of LAMA (Richter & Westphal, JAIR 2010): guided by h_FF and by
// the number of open landmarks, preferred actions first, each state valued when its turn comes. Of interchangeable
// actions it tries one, and of states that differ in the names of like objects it keeps one. It skips actions that are
// irrelevant to all goals. Plans may be far from optimal.
//
// A policy adds a queue ordered by its values of actions, and its best action in a state is preferred. While its values
// improve, it acts as if alone; otherwise it gets one turn in ten, since a pass takes about as long as valuing ten
// states. It also values every state with which h_FF or landmarks make progress.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "heuristics/heuristics.h"
#include "search/canonical.h"
#include "search/ending.h"
#include "search/heuristic_novelty.h"
#include "search/landmark_count.h"
#include "search/open_list.h"
#include "search/search_tree.h"
#include "search/valuer.h"

namespace liftq {

class GreedySearch {
 public:
  static constexpr uint64_t kLandmarkWork = 300'000'000;  // preconditions looked at to find landmarks

  // Of heuristics that count actions.
  GreedySearch(Heuristics& heuristics, size_t step_limit, uint64_t landmark_work = kLandmarkWork,
               Valuer* policy = nullptr);
  // Starts the search again: without the policy if the seed is 0; otherwise exploring, with successors in random order,
  // and by h_FF alone if the seed is odd.
  GreedySearch(const GreedySearch& first, uint32_t seed);

  // Returns `step_limit` if it skipped some states; throws Stopped or std::bad_alloc. Another call continues the search
  // until this many states are valued in all.
  Ending run(StateId start, size_t most_states = SIZE_MAX);
  std::vector<Step> plan() const { return tree_.plan(goal_); }  // after `solved`
  size_t num_valued() const { return num_valued_; }             // states
  size_t num_passes() const { return num_passes_; }             // of the policy
  size_t last_progress() const { return last_progress_; }       // states valued when a value was last the best so far
  const Landmarks& landmarks() const { return landmarks_->landmarks(); }  // once a state is valued

 private:
  static constexpr uint32_t kNone = SearchTree::kNone;
  using Open = OpenList<3>;  // h_FF, open landmarks, h_FF with novel states first

  Edge next();
  Edge next_of_policy();
  void reach(StateId state, Edge edge);
  Open::Values values_of(uint32_t parent, std::span<const int> facts, int64_t h_ff);
  void expand(StateId state, uint32_t node, const Open::Values& values);
  void mark_preferred(StateId state, uint32_t node);
  void ask_policy(StateId state, uint32_t node);

  Heuristics& heuristics_;
  Engine& engine_;
  size_t step_limit_;
  uint64_t landmark_work_;
  Valuer* policy_;
  Visited visited_;
  std::unique_ptr<Heuristic> h_ff_;
  std::optional<LandmarkCount> landmarks_;
  HeuristicNovelty novelty_;
  AtomTable actions_;      // ground actions by schema and arguments; first those that a goal can profit from
  uint32_t num_relevant_;  // actions that a goal can profit from
  SearchTree tree_;
  Open open_{false};
  int best_h_ff_ = INT32_MAX, best_landmarks_ = INT32_MAX;
  BucketQueue by_policy_;     // edges from states that the policy has valued
  std::vector<Edge> latest_;  // those from the last one, the best at the end
  float best_of_policy_ = __builtin_inff();
  size_t turns_of_policy_ = 0;  // that it has at once, having improved
  size_t turn_ = 0;
  bool is_policys_turn_ = true;         // it begins
  std::vector<uint32_t> preferred_in_;  // by relevant action: the last node in which it was preferred
  Orbits orbits_;
  std::vector<uint32_t> order_;  // of orbits
  std::mt19937 generator_;
  bool is_exploring_ = false;
  bool by_h_ff_alone_ = false;
  const Landmarks* known_landmarks_ = nullptr;  // of the first search
  std::vector<int> arguments_;
  std::vector<float> action_values_;  // by orbit
  std::vector<std::pair<float, uint32_t>> ranking_;
  uint32_t goal_ = kNone;
  size_t num_valued_ = 0, num_passes_ = 0, last_progress_ = 0;
  bool cut_ = false;  // some state was left out because of a limit
};

}  // namespace liftq
