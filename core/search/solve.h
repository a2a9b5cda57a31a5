// Solving a task from its initial state: optimally, by greedy search, or by a policy. A limit that stops it is an
// ending, not an exception.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "heuristics/heuristics.h"
#include "search/acting.h"
#include "search/outcome.h"
#include "search/plan.h"
#include "search/valuer.h"

namespace liftq {

struct SearchSolution {
  Ending ending;
  std::vector<Step> plan;  // if solved
  size_t num_valued;       // states; not counted by an optimal search
  size_t num_passes;       // of a policy that guides it
};
SearchSolution solve_optimally(Heuristics& heuristics);
SearchSolution solve_greedily(Engine& engine, size_t step_limit, Valuer* policy = nullptr);

struct PolicySolution {
  Ending ending;
  std::vector<Step> plan;  // complete if solved; without a search, as far as the policy came
  std::vector<bool> valued;
  size_t decisions;        // states whose candidates were valued
  size_t graphs;           // states that went through the network
  uint64_t multiply_adds;  // in doing so
  size_t times_lost;       // how often the policy had to be helped by search
  size_t states_searched;  // states valued by greedy search
};
// `give_up`: a run without a search ends as soon as it is known to fail. `again`: where passes are cheap, the policy
// also plays one by one, and the cheaper plan counts.
PolicySolution solve_by_policy(Valuer& valuer, size_t step_limit, const Acting& acting, bool may_search,
                               bool give_up = false, bool again = false);

}  // namespace liftq
