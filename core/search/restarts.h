// Greedy search that does not bet on one attempt. Where values are wrong, as near dead ends, a search may look at
// millions of states that lead nowhere, while another order of successors finds a plan at once. So whenever it makes no
// progress for long, it takes turns with fresh ones that try successors in random orders, for as many states; these are
// short most of the time (Luby, Sinclair & Zuckerman 1993). The first search goes on all the while: it can prove that
// there is no plan, and costs at most twice as much as alone.
//
// A policy may mislead, too. So a search without it takes turns with the one that it guides, from the start.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "search/greedy_search.h"

namespace liftq {

class Restarts {
 public:
  Restarts(Heuristics& heuristics, size_t step_limit, Valuer* policy)
      : first_(heuristics, step_limit, GreedySearch::kLandmarkWork, policy), has_policy_(policy != nullptr) {}

  Ending run(StateId start);  // as of a greedy search
  const std::vector<Step>& plan() const { return plan_; }
  size_t num_valued() const {  // in all searches
    return first_.num_valued() + (unguided_ ? unguided_->num_valued() : 0) + num_valued_;
  }
  size_t num_passes() const { return first_.num_passes() + num_passes_; }

 private:
  std::optional<Ending> go_on(GreedySearch& search, StateId start, size_t turn);  // none: its turn is over
  Ending restart(StateId start, size_t most_states);

  GreedySearch first_;
  std::optional<GreedySearch> unguided_;  // if there is a policy
  bool has_policy_;
  std::vector<Step> plan_;
  uint32_t num_restarts_ = 0;
  size_t num_valued_ = 0, num_passes_ = 0;  // in restarts
};

}  // namespace liftq
