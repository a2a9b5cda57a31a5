#include "search/serialized_search.h"

#include "basics/watch.h"

namespace liftq {

namespace {
constexpr uint64_t kWorkForGoal = 1'000'000'000;  // a few seconds
}  // namespace

Ending SerializedSearch::run(StateId start, uint64_t most_work) {
  if (state_ == IndexSet::kNone) state_ = start;
  for (const uint64_t before = work_done(); !engine_.is_goal(state_);) {
    if (work_done() - before >= most_work) return Ending::step_limit;
    const std::vector<Step> way =
        width_.find(state_, engine_.goals_left(state_), step_limit_ - plan_.size(), kWorkForGoal);
    if (way.empty()) return Ending::dead_end;
    for (const Step& step : way) state_ = engine_.successor(state_, step.schema, step.arguments.data());
    plan_.insert(plan_.end(), way.begin(), way.end());
  }
  return Ending::solved;
}

}  // namespace liftq
