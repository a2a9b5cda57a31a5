// Finishes by search what a policy leaves undone: from one of its states, and from the start, where each call continues
// the same searches. Each call is for about so much work (see basics/watch.h). The task is grounded on first use; if
// memory does not suffice for that, there is no finish.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "heuristics/heuristics.h"
#include "search/portfolio.h"

namespace liftq {

class Finish {
 public:
  // `shared`: heuristics that count actions, if they exist already.
  Finish(Engine& engine, std::shared_ptr<Heuristics> shared) : engine_(engine), shared_(std::move(shared)) {}

  Ending run(StateId state, size_t step_limit, uint64_t most_work);
  Ending run_from_start(size_t step_limit, uint64_t most_work);
  const std::vector<Step>& plan() const { return plan_; }  // after `solved`
  size_t num_valued() const { return num_valued_; }        // states, in all runs

 private:
  Heuristics& heuristics();
  template <class Search>
  Ending within_memory(const Search& search);
  template <class Search>
  Ending go_on(Search& search, StateId state, size_t limit);  // in whatever the search counts

  Engine& engine_;
  std::shared_ptr<Heuristics> shared_, heuristics_;
  std::optional<Portfolio> from_start_;
  bool is_too_large_ = false;
  std::vector<Step> plan_;
  size_t num_valued_ = 0;
};

}  // namespace liftq
