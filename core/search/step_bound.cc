#include "search/step_bound.h"

#include <algorithm>
#include <cmath>

namespace liftq {

namespace {
constexpr size_t kLooks = 10;  // about as many in a run, as LM-cut may take longer than the network
}

std::optional<Ending> StepBound::ending(StateId state, size_t depth) {
  if (depth < next_look_) return std::nullopt;
  if (!heuristics_) heuristics_ = std::make_shared<Heuristics>(engine_, Costs::one);
  const double needed = heuristics_->value(lm_cut_, state);
  if (std::isinf(needed)) return Ending::dead_end;
  const size_t left = step_limit_ - depth;
  if (needed > static_cast<double>(left)) return Ending::step_limit;
  next_look_ = next_look(depth, left - static_cast<size_t>(needed));
  return std::nullopt;
}

// A step takes about two of the spare ones at most: itself, and another to make good for it.
size_t StepBound::next_look(size_t depth, size_t spare) const {
  return depth + std::max(spare / 2, step_limit_ / kLooks) + 1;
}

}  // namespace liftq
