// Searches for Python. The interpreter's lock is released while they run.
#include <nanobind/stl/optional.h>

#include <limits>
#include <optional>
#include <string>
#include <tuple>

#include "bindings/bindings.h"
#include "search/elimination.h"
#include "search/greedy_search.h"
#include "search/orbit_search.h"
#include "search/windows.h"

using namespace nanobind::literals;

namespace liftq {
namespace {

std::pair<std::string, std::vector<Action>> search(Heuristics& heuristics) {
  std::vector<Step> plan;
  Outcome outcome;
  {
    const Call call(heuristics.engine());
    const nb::gil_scoped_release free;
    outcome = outcome_of([&] {
      OrbitSearch search(heuristics);
      const Ending ending = search.run();
      if (ending == Ending::solved) plan = search.plan();
      return ending;
    });
  }
  return {name_of(outcome.ending), to_actions(plan)};
}

std::tuple<std::string, std::vector<Action>, size_t> greedy(Engine& engine, std::optional<uint64_t> steps) {
  std::vector<Step> plan;
  size_t num_valued = 0;
  Outcome outcome;
  {
    const Call call(engine);
    const nb::gil_scoped_release free;
    std::optional<Heuristics> heuristics;
    std::optional<GreedySearch> search;
    outcome = outcome_of([&] {
      heuristics.emplace(engine, Costs::one);
      search.emplace(*heuristics, steps.value_or(std::numeric_limits<size_t>::max()));
      return search->run(engine.initial_state());
    });
    if (outcome.ending == Ending::solved) plan = search->plan();
    if (search) num_valued = search->num_valued();
  }
  return {name_of(outcome.ending), to_actions(plan), num_valued};
}

// The plan's steps, once they are known to be applicable and to reach the goal.
std::vector<Step> checked_plan(Engine& engine, const std::vector<Action>& plan) {
  std::vector<Step> steps;
  StateId state = engine.initial_state();
  for (const auto& [schema, arguments] : plan) {
    check_action(engine, schema, arguments);
    require(engine.applicable(state, schema, arguments.data()), "an action of the plan is not applicable");
    state = engine.successor(state, schema, arguments.data());
    steps.push_back({schema, arguments});
  }
  require(engine.is_goal(state), "the plan does not reach the goal");
  return steps;
}

template <std::vector<Step> (*change)(Engine&, const std::vector<Step>&)>
std::vector<Action> changed(Engine& engine, const std::vector<Action>& plan) {
  const Call call(engine);
  std::vector<Step> steps = checked_plan(engine, plan);
  {
    const nb::gil_scoped_release free;
    steps = change(engine, steps);
  }
  return to_actions(steps);
}

std::pair<std::string, std::vector<Action>> window(Engine& engine, const std::vector<Action>& plan, size_t first,
                                                   size_t last) {
  require(first <= last && last <= plan.size(), "a window lies within the plan");
  Window result;
  Outcome outcome;
  {
    const Call call(engine);
    const std::vector<Step> steps = checked_plan(engine, plan);
    const nb::gil_scoped_release free;
    outcome = outcome_of([&] { return (result = solve_window(engine, steps, first, last)).ending; });
  }
  return {name_of(outcome.ending), to_actions(result.plan)};
}

}  // namespace

void bind_search(nb::module_& module) {
  module.def("orbit_search", &search, "heuristics"_a, "Ending and plan.");
  module.def("greedy_search", &greedy, "engine"_a, "steps"_a = nb::none(), "Ending, plan and number of states valued.");
  module.def("shorten", &changed<without_needless_actions>, "engine"_a, "plan"_a,
             "A valid plan without loops and needless actions.");
  module.def("gather_steps", &changed<gather_steps>, "engine"_a, "plan"_a,
             "A valid plan in an order where steps that build on each other stand together.");
  module.def("solve_window", &window, "engine"_a, "plan"_a, "first"_a, "last"_a,
             "Some steps of a valid plan again: `solved` with a cheaper plan, `unsolvable` if there is none.");
}

}  // namespace liftq
