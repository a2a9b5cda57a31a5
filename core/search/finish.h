// What a policy leaves undone, by greedy search from one of its states, as far as a number of states allows. The task
// is grounded when this is first asked for; where memory does not suffice for that, there is no finish.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "heuristics/heuristics.h"
#include "search/greedy_search.h"

namespace liftq {

class Finish {
 public:
  explicit Finish(Engine& engine) : engine_(engine) {}

  Ending run(StateId start, size_t step_limit, size_t most_states);
  const std::vector<Step>& plan() const { return plan_; }  // after `solved`
  size_t num_valued() const { return num_valued_; }        // states, in all runs

 private:
  Engine& engine_;
  std::optional<Heuristics> heuristics_;
  bool is_too_large_ = false;
  std::vector<Step> plan_;
  size_t num_valued_ = 0;
};

}  // namespace liftq
