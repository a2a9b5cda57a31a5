#include "search/solve.h"

#include <optional>

#include "search/greedy_search.h"
#include "search/orbit_search.h"
#include "search/rollout.h"

namespace liftq {

SearchSolution solve_optimally(Heuristics& heuristics) {
  SearchSolution solution{};
  const Outcome outcome = outcome_of([&] {
    OrbitSearch search(heuristics);
    const Ending ending = search.run();
    if (ending == Ending::solved) solution.plan = search.plan();
    return ending;
  });
  solution.ending = outcome.ending;
  return solution;
}

SearchSolution solve_greedily(Engine& engine, size_t step_limit) {
  std::optional<Heuristics> heuristics;
  std::optional<GreedySearch> search;
  const Outcome outcome = outcome_of([&] {
    heuristics.emplace(engine, Costs::one);
    search.emplace(*heuristics, step_limit);
    return search->run(engine.initial_state());
  });
  SearchSolution solution{outcome.ending, {}, search ? search->num_valued() : 0};
  if (outcome.ending == Ending::solved) solution.plan = search->plan();
  return solution;
}

PolicySolution solve_by_policy(Valuer& valuer, size_t step_limit, const Acting& acting, bool may_search) {
  Rollout rollout(valuer, step_limit, acting);
  const Outcome outcome = outcome_of([&] { return rollout.run(may_search); });
  PolicySolution solution{};
  solution.ending = outcome.ending;
  if (outcome.ending == Ending::solved || !(may_search || outcome.stopped)) {
    solution.plan = rollout.plan();
    solution.valued = rollout.valued();
  }
  solution.decisions = rollout.num_expanded();
  solution.graphs = valuer.graphs();
  solution.multiply_adds = valuer.multiply_adds();
  solution.times_lost = rollout.times_lost();
  solution.states_searched = rollout.num_searched();
  return solution;
}

}  // namespace liftq
