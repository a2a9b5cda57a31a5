// What a policy leaves undone, by greedy search: from one of its states, as far as a number of states allows, and from
// the start, where each call goes on with the same search. The task is grounded when this is first asked for; where
// memory does not suffice for that, there is no finish.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "heuristics/heuristics.h"
#include "search/greedy_search.h"

namespace liftq {

class Finish {
 public:
  // `shared`: heuristics where each action costs one, if there are any yet.
  Finish(Engine& engine, std::shared_ptr<Heuristics> shared) : engine_(engine), shared_(std::move(shared)) {}

  Ending run(StateId state, size_t step_limit, size_t most_states);
  // Until it has valued so many states in all calls together, or more if the network's work was worth more.
  Ending run_from_start(size_t step_limit, size_t most_states, uint64_t multiply_adds);
  const std::vector<Step>& plan() const { return plan_; }  // after `solved`
  size_t num_valued() const { return num_valued_; }        // states, in all runs

 private:
  Heuristics& heuristics();
  template <class Search>
  Ending within_memory(const Search& search);
  Ending go_on(GreedySearch& search, StateId state, size_t most_states);

  Engine& engine_;
  std::shared_ptr<Heuristics> shared_, heuristics_;
  std::optional<GreedySearch> from_start_;
  bool is_too_large_ = false;
  std::vector<Step> plan_;
  size_t num_valued_ = 0;
};

}  // namespace liftq
