// Makes plans cheaper, window by window: some steps of a plan are replaced by the cheapest ones that keep the rest of
// it working (after Siddiqui & Haslum, JAIR 2015).
#pragma once

#include <cstddef>
#include <vector>

#include "planning/engine.h"
#include "search/solution.h"

namespace liftq {

// Replaces the steps from `first` to before `last` of a valid plan: `solved` with a cheaper whole plan, `unsolvable` if
// there is none.
Solution solve_window(Engine& engine, const std::vector<Step>& plan, size_t first, size_t last);

// Reorders the steps of a plan so that steps that build on each other stand together as far as possible. A window then
// covers one thread of the plan instead of parts of many.
std::vector<Step> gather_steps(Engine& engine, const std::vector<Step>& plan);

struct Window {
  std::vector<Step> plan;
  size_t first, last;
};

// Reorders the steps of a plan so that the chosen ones stand together, with those that have to lie between them. The
// window is empty if they cannot.
Window gather_window(Engine& engine, const std::vector<Step>& plan, const std::vector<size_t>& chosen);

}  // namespace liftq
