#include "search/solve.h"

#include <memory>

#include "search/elimination.h"
#include "search/orbit_search.h"
#include "search/policy_portfolio.h"
#include "search/portfolio.h"

namespace liftq {

namespace {

constexpr uint64_t kWorthPlayingAgain = 10'000'000'000;  // multiply-adds: some tenths of a second

void count_network(const Valuer& valuer, Solution& solution) {
  solution.states_valued = valuer.graphs();
  solution.multiply_adds = valuer.multiply_adds();
}

double cost_of_needed(Engine& engine, const std::vector<Step>& plan) {
  double cost = 0;
  for (const Step& step : without_needless_actions(engine, plan))
    cost += action_cost(engine.task(), step.schema, step.arguments.data());
  return cost;
}

// Several actions from one pass save time where passes are dear, but plans become longer. Where passes are cheap, the
// policy also plays one by one, and the cheaper plan counts. No limit that comes now loses the first.
void play_one_by_one(Valuer& valuer, Acting acting, Solution& solution) {
  if (acting.most == 1 || solution.passes == 0) return;
  if (valuer.multiply_adds() / solution.passes * solution.plan.size() > kWorthPlayingAgain) return;
  acting.most = 1;
  acting.search = false;
  Rollout rollout(valuer, solution.plan.size(), acting);
  ending_of([&] {
    const Ending ending = *rollout.act(UINT64_MAX);
    if (ending != Ending::solved) return ending;
    const std::vector<Step> plan = rollout.plan();
    if (cost_of_needed(valuer.engine(), plan) < cost_of_needed(valuer.engine(), solution.plan)) {
      solution.plan = plan;
      solution.valued = rollout.valued();
    }
    return ending;
  });
  solution.passes += rollout.num_expanded();
}

void keep_plan(const Rollout& rollout, Solution& solution) {
  solution.plan = rollout.plan();
  solution.valued = rollout.valued();
}

Solution solve_alone(Valuer& valuer, size_t step_limit, const Acting& acting) {
  StepBound bound(valuer.engine(), step_limit, valuer.heuristics());
  const auto rollout = std::make_shared<Rollout>(valuer, step_limit, acting, acting.give_up ? &bound : nullptr);
  Solution solution;
  solution.ending = ending_of([&] { return *rollout->act(UINT64_MAX); });
  if (!is_stopped(solution.ending)) keep_plan(*rollout, solution);
  solution.passes = rollout->num_expanded();
  solution.held = {rollout};
  return solution;
}

Solution solve_with_help(Valuer& valuer, size_t step_limit, const Acting& acting) {
  const auto portfolio = std::make_shared<PolicyPortfolio>(valuer, step_limit, acting);
  Solution solution;
  solution.ending = ending_of([&] { return portfolio->run(); });
  if (solution.ending == Ending::solved) keep_plan(portfolio->rollout(), solution);
  solution.passes = portfolio->num_expanded();
  solution.times_lost = portfolio->times_lost();
  solution.states_searched = portfolio->num_searched();
  solution.held = {portfolio};
  return solution;
}

}  // namespace

Solution solve_optimally(Heuristics& heuristics) {
  Solution solution;
  solution.ending = ending_of([&] {
    OrbitSearch search(heuristics);
    const Ending ending = search.run();
    if (ending == Ending::solved) solution.plan = search.plan();
    return ending;
  });
  return solution;
}

Solution solve_greedily(Engine& engine, size_t step_limit, Valuer* policy) {
  std::shared_ptr<Heuristics> heuristics = policy ? policy->heuristics() : nullptr;
  std::shared_ptr<Portfolio> search;
  Solution solution;
  solution.ending = ending_of([&] {
    if (!heuristics) heuristics = std::make_shared<Heuristics>(engine, Costs::one);
    search = std::make_shared<Portfolio>(*heuristics, step_limit, policy);
    return search->run(engine.initial_state());
  });
  if (solution.ending == Ending::solved) {
    solution.plan = search->plan();
    solution.valued.resize(solution.plan.size());
  }
  if (search) {
    solution.passes = search->num_passes();
    solution.states_valued = solution.states_searched = search->num_valued();
  }
  if (policy) count_network(*policy, solution);
  solution.held = {search, heuristics};
  return solution;
}

Solution solve_by_novelty(Engine& engine, size_t step_limit) {
  std::shared_ptr<Heuristics> heuristics;
  std::shared_ptr<NoveltySearch> search;
  Solution solution;
  solution.ending = ending_of([&] {
    heuristics = std::make_shared<Heuristics>(engine, Costs::one);
    search = std::make_shared<NoveltySearch>(*heuristics, step_limit);
    return search->run(engine.initial_state(), SIZE_MAX);
  });
  if (solution.ending == Ending::solved) solution.plan = search->plan();
  if (search) solution.states_valued = solution.states_searched = search->num_valued();
  solution.held = {search, heuristics};
  return solution;
}

Solution solve_by_policy(Valuer& valuer, size_t step_limit, const Acting& acting) {
  if (acting.search && acting.searching) return solve_greedily(valuer.engine(), step_limit, &valuer);
  Solution solution =
      acting.search ? solve_with_help(valuer, step_limit, acting) : solve_alone(valuer, step_limit, acting);
  if (solution.ending == Ending::solved && acting.again) play_one_by_one(valuer, acting, solution);
  count_network(valuer, solution);
  return solution;
}

}  // namespace liftq
