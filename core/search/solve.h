// Solving a task from its initial state: optimally, by searches without any guarantee, or by a policy. A limit that
// stops it is an ending, not an exception.
#pragma once

#include <cstddef>

#include "heuristics/heuristics.h"
#include "search/acting.h"
#include "search/solution.h"
#include "search/valuer.h"

namespace liftq {

Solution solve_optimally(Heuristics& heuristics);
Solution solve_greedily(Engine& engine, size_t step_limit, Valuer* policy = nullptr);
Solution solve_by_novelty(Engine& engine, size_t step_limit);
Solution solve_by_policy(Valuer& valuer, size_t step_limit, const Acting& acting);

}  // namespace liftq
