// Best-first width search, BFWS(f5) with landmarks in place of goals (Lipovetzky & Geffner, AAAI 2017): novel states
// first, and of equally novel ones those with fewer open landmarks. States are compared with those that have as many
// open landmarks, and have achieved as many facts of a relaxed plan, made where a landmark was last achieved. A state
// needs no heuristic, so this search sees many more states than a greedy one, in places where a heuristic would not
// lead. Of interchangeable actions it tries one, and it skips actions that are irrelevant to all goals.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "heuristics/heuristics.h"
#include "search/canonical.h"
#include "search/ending.h"
#include "search/landmark_count.h"
#include "search/novelty.h"
#include "search/open_list.h"
#include "search/search_tree.h"

namespace liftq {

class NoveltySearch {
 public:
  // Of heuristics that count actions. The landmarks are those of the state that it starts in, if they are known.
  NoveltySearch(Heuristics& heuristics, size_t step_limit, std::optional<Landmarks> landmarks = {});

  // As of a greedy search: another call continues until this many states are valued in all.
  Ending run(StateId start, size_t most_states);
  std::vector<Step> plan() const { return tree_.plan(goal_); }  // after `solved`
  size_t num_valued() const { return num_valued_; }             // states

 private:
  static constexpr uint32_t kNone = SearchTree::kNone;

  struct Node {
    uint64_t achieved;      // place of the first word: bits of facts of the relaxed plan
    uint32_t relaxed_plan;  // made at the last state above in which a landmark was achieved
    int landmarks;          // open ones
    uint32_t num_achieved;
  };

  void expand(uint32_t node);
  void see(StateId state, Edge edge);
  void look_for_landmarks(StateId start);
  bool make_relaxed_plan(std::span<const int> facts);
  Node successor_of(uint32_t parent, int landmarks, std::span<const int> new_facts);

  Heuristics& heuristics_;
  Engine& engine_;
  size_t step_limit_;
  Visited visited_;
  std::unique_ptr<Heuristic> h_ff_;
  std::optional<LandmarkCount> landmarks_;
  AtomTable actions_;  // that a goal can profit from
  uint32_t num_relevant_;
  SearchTree tree_;
  std::vector<Node> nodes_;
  std::vector<uint64_t> achieved_;
  Lists<> relaxed_plans_;  // facts, in increasing order
  Novelty novelty_;
  BucketQueue open_;
  Orbits orbits_;
  std::vector<std::pair<StateId, uint32_t>> successors_;  // and actions
  std::vector<uint32_t> holds_in_;                        // by fact: the last node expanded in which it holds
  std::vector<int> new_facts_, plan_facts_;
  uint32_t goal_ = kNone;
  size_t num_valued_ = 0;
  bool cut_ = false;  // some state was left out because of a limit
};

}  // namespace liftq
