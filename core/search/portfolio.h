// Searches in turns, so that no time is bet on one of them. A greedy search begins, and goes on all the while: it can
// prove that there is no plan. A search from goal to goal goes on for longer, until it is stuck. A search for novel
// states takes turns with it: where heuristics mislead, or take too long, it is often faster. It gets a small share of
// the work while the greedy search makes progress, and half otherwise. If there is no progress for long, fresh greedy
// searches try successors in random orders, too, for as many states; most of these are short (Luby, Sinclair &
// Zuckerman 1993).
//
// A policy may mislead, too. So a greedy search without it takes turns with the one that it guides, from the start.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "search/greedy_search.h"
#include "search/novelty_search.h"
#include "search/serialized_search.h"

namespace liftq {

class Portfolio {
 public:
  Portfolio(Heuristics& heuristics, size_t step_limit, Valuer* policy)
      : heuristics_(heuristics),
        step_limit_(step_limit),
        first_(heuristics, step_limit, GreedySearch::kLandmarkWork, policy),
        serialized_(heuristics.engine(), step_limit),
        has_policy_(policy != nullptr) {}

  // As of a greedy search: each call continues for about so much work (see basics/watch.h).
  Ending run(StateId start, uint64_t most_work = UINT64_MAX);
  const std::vector<Step>& plan() const { return plan_; }
  size_t num_valued() const;  // states, in all searches
  size_t num_passes() const { return first_.num_passes() + num_passes_; }

 private:
  template <class Search>
  std::optional<Ending> go_on(Search& search, StateId start, size_t most_states, uint64_t most_work = UINT64_MAX);
  std::optional<Ending> take_turns(StateId start, uint64_t most_work);  // none: all turns are over
  std::optional<Ending> go_from_goal_to_goal(StateId start, uint64_t most_work);
  std::optional<Ending> seek_novelty(StateId start, uint64_t most_work);
  std::optional<Ending> restart(StateId start);

  Heuristics& heuristics_;
  size_t step_limit_;
  GreedySearch first_;
  std::optional<GreedySearch> unguided_;  // if there is a policy
  std::optional<NoveltySearch> novelty_;
  SerializedSearch serialized_;
  bool is_serialized_stuck_ = false;
  bool has_policy_;
  std::vector<Step> plan_;
  size_t turn_ = 0;  // its length in states
  uint32_t num_restarts_ = 0;
  size_t num_valued_ = 0, num_passes_ = 0;  // in restarts
};

}  // namespace liftq
