// Greedy best-first search, as in the first iteration of LAMA (Richter & Westphal, JAIR 2010): guided by h_FF and by
// the number of open landmarks, preferred actions first, each state valued when its turn comes. Of interchangeable
// actions it tries one, and of states that differ in the names of like objects it keeps one. Actions that no goal can
// profit from are left out. Plans may be far from the cheapest.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "heuristics/heuristics.h"
#include "search/canonical.h"
#include "search/landmark_count.h"
#include "search/open_list.h"
#include "search/outcome.h"
#include "search/search_tree.h"

namespace liftq {

class GreedySearch {
 public:
  static constexpr uint64_t kLandmarkWork = 300'000'000;  // preconditions looked at to find landmarks

  // Of heuristics that count actions.
  GreedySearch(Heuristics& heuristics, size_t step_limit, uint64_t landmark_work = kLandmarkWork);

  // `step_limit` if it could not look at all states; throws Stopped or std::bad_alloc. Called again, it goes on until
  // so many states are valued in all.
  Ending run(StateId start, size_t most_states = SIZE_MAX);
  std::vector<Step> plan() const { return tree_.plan(goal_); }  // after `solved`
  size_t num_valued() const { return num_valued_; }             // states

 private:
  static constexpr uint32_t kNone = SearchTree::kNone;
  using Open = OpenList<2>;

  void reach(StateId state, Edge edge);
  bool is_new(StateId state);
  void expand(StateId state, uint32_t node, const Open::Values& values);
  void mark_preferred(StateId state, uint32_t node);

  Heuristics& heuristics_;
  Engine& engine_;
  size_t step_limit_;
  uint64_t landmark_work_;
  Canonical canonical_;
  std::unique_ptr<Heuristic> h_ff_;
  std::optional<LandmarkCount> landmarks_;
  AtomTable actions_;      // ground actions by schema and arguments; first those that a goal can profit from
  uint32_t num_relevant_;  // how many those are
  SearchTree tree_;
  Open open_;
  Open::Values best_;
  std::vector<uint8_t> visited_;        // by key of a state
  std::vector<uint32_t> preferred_in_;  // by relevant action: the last node in which it was preferred
  Orbits orbits_;
  std::vector<int> arguments_;
  uint32_t goal_ = kNone;
  size_t num_valued_ = 0;
  bool cut_ = false;  // some state was left out because of a limit
};

}  // namespace liftq
