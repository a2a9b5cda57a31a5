#include "search/solve.h"

#include <memory>
#include <optional>

#include "search/elimination.h"
#include "search/orbit_search.h"
#include "search/restarts.h"
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

SearchSolution solve_greedily(Engine& engine, size_t step_limit, Valuer* policy) {
  std::shared_ptr<Heuristics> heuristics = policy ? policy->heuristics() : nullptr;
  std::optional<Restarts> search;
  const Outcome outcome = outcome_of([&] {
    if (!heuristics) heuristics = std::make_shared<Heuristics>(engine, Costs::one);
    search.emplace(*heuristics, step_limit, policy);
    return search->run(engine.initial_state());
  });
  SearchSolution solution{};
  solution.ending = outcome.ending;
  solution.num_valued = search ? search->num_valued() : 0;
  solution.num_passes = search ? search->num_passes() : 0;
  if (outcome.ending == Ending::solved) solution.plan = search->plan();
  return solution;
}

namespace {

PolicySolution search_with(Valuer& valuer, size_t step_limit) {
  const SearchSolution found = solve_greedily(valuer.engine(), step_limit, &valuer);
  PolicySolution solution{};
  solution.ending = found.ending;
  solution.plan = found.plan;
  solution.valued.resize(found.plan.size());
  solution.decisions = found.num_passes;
  solution.graphs = valuer.graphs();
  solution.multiply_adds = valuer.multiply_adds();
  solution.states_searched = found.num_valued;
  return solution;
}

constexpr uint64_t kWorthPlayingAgain = 10'000'000'000;  // multiply-adds: some tenths of a second

double cost_of_needed(Engine& engine, const std::vector<Step>& plan) {
  double cost = 0;
  for (const Step& step : without_needless_actions(engine, plan))
    cost += action_cost(engine.task(), step.schema, step.arguments.data());
  return cost;
}

// Several actions from one pass save time where passes are dear, but plans become longer. Where passes are cheap, the
// policy also plays one by one, and the cheaper plan counts. No limit that comes now loses the first.
void play_one_by_one(Valuer& valuer, Acting acting, PolicySolution& solution) {
  if (acting.most == 1 || solution.decisions == 0) return;
  if (valuer.multiply_adds() / solution.decisions * solution.plan.size() > kWorthPlayingAgain) return;
  acting.most = 1;
  Rollout rollout(valuer, solution.plan.size(), acting);
  outcome_of([&] {
    const Ending ending = rollout.run(false);
    if (ending != Ending::solved) return ending;
    const std::vector<Step> plan = rollout.plan();
    if (cost_of_needed(valuer.engine(), plan) < cost_of_needed(valuer.engine(), solution.plan)) {
      solution.plan = plan;
      solution.valued = rollout.valued();
    }
    return ending;
  });
  solution.decisions += rollout.num_expanded();
}

}  // namespace

PolicySolution solve_by_policy(Valuer& valuer, size_t step_limit, const Acting& acting, bool may_search, bool give_up,
                               bool again) {
  if (may_search && acting.searching) return search_with(valuer, step_limit);
  StepBound bound(valuer.engine(), step_limit, valuer.heuristics());
  Rollout rollout(valuer, step_limit, acting, give_up && !may_search ? &bound : nullptr);
  const Outcome outcome = outcome_of([&] { return rollout.run(may_search); });
  PolicySolution solution{};
  solution.ending = outcome.ending;
  if (outcome.ending == Ending::solved || !(may_search || outcome.stopped)) {
    solution.plan = rollout.plan();
    solution.valued = rollout.valued();
  }
  solution.decisions = rollout.num_expanded();
  if (outcome.ending == Ending::solved && again) play_one_by_one(valuer, acting, solution);
  solution.graphs = valuer.graphs();
  solution.multiply_adds = valuer.multiply_adds();
  solution.times_lost = rollout.times_lost();
  solution.states_searched = rollout.num_searched();
  return solution;
}

}  // namespace liftq
