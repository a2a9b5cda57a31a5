// From goal to goal by IW(1), as in serialized iterated width (Lipovetzky & Geffner, ECAI 2012): the nearest state with
// fewer open goals, then the next from there. It never goes back, so it is fast and incomplete.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "search/ending.h"
#include "search/width_search.h"

namespace liftq {

class SerializedSearch {
 public:
  SerializedSearch(Engine& engine, size_t step_limit) : engine_(engine), width_(engine), step_limit_(step_limit) {}

  // For about so much work (see basics/watch.h); each call continues. `step_limit` if there is more to try,
  // `dead_end` if it is stuck.
  Ending run(StateId start, uint64_t most_work);
  const std::vector<Step>& plan() const { return plan_; }  // as far as it came

 private:
  Engine& engine_;
  WidthSearch width_;
  size_t step_limit_;
  StateId state_ = IndexSet::kNone;
  std::vector<Step> plan_;
};

}  // namespace liftq
