// Cheaper plans, window by window: what some steps of a plan do for the rest of it is done again, at the lowest cost
// (after Siddiqui & Haslum, JAIR 2015).
#pragma once

#include <cstddef>
#include <vector>

#include "planning/engine.h"
#include "search/solution.h"

namespace liftq {

// Steps from `first` to before `last` of a valid plan: `solved` with a cheaper plan as a whole, `unsolvable` if there
// is nothing cheaper.
Solution solve_window(Engine& engine, const std::vector<Step>& plan, size_t first, size_t last);

// The same steps in an order that reaches the goal as well, where those that build on each other stand together as far
// as possible: so that a window covers one thread of the plan, not a bit of many.
std::vector<Step> gather_steps(Engine& engine, const std::vector<Step>& plan);

}  // namespace liftq
