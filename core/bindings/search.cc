// Searches for Python. The interpreter's lock is released while they run.
#include <nanobind/stl/optional.h>

#include <limits>
#include <optional>
#include <string>
#include <tuple>

#include "bindings/bindings.h"
#include "search/elimination.h"
#include "search/independence.h"
#include "search/solve.h"
#include "search/windows.h"

using namespace nanobind::literals;

namespace liftq {
namespace {

// What a function of the core returns, called with the engine to itself and without the interpreter's lock.
template <class Function>
auto run(const Engine& engine, Function function) {
  const Call call(engine);
  const nb::gil_scoped_release free;
  return function();
}

std::pair<std::string, std::vector<Action>> orbit_search(Heuristics& heuristics) {
  const SearchSolution found = run(heuristics.engine(), [&] { return solve_optimally(heuristics); });
  return {name_of(found.ending), to_actions(found.plan)};
}

std::tuple<std::string, std::vector<Action>, size_t> greedy_search(Engine& engine, std::optional<uint64_t> steps) {
  const size_t limit = steps.value_or(std::numeric_limits<size_t>::max());
  const SearchSolution found = run(engine, [&] { return solve_greedily(engine, limit); });
  return {name_of(found.ending), to_actions(found.plan), found.num_valued};
}

std::vector<Step> valid_steps(Engine& engine, const std::vector<Action>& plan) {
  std::vector<Step> steps;
  for (const auto& [schema, arguments] : plan) {
    check_action(engine, schema, arguments);
    steps.push_back({schema, arguments});
  }
  const char* flaw = flaw_of(engine, steps);
  require(!flaw, flaw);
  return steps;
}

template <std::vector<Step> (*change)(Engine&, const std::vector<Step>&)>
std::vector<Action> changed(Engine& engine, const std::vector<Action>& plan) {
  return to_actions(run(engine, [&] { return change(engine, valid_steps(engine, plan)); }));
}

std::pair<std::string, std::vector<Action>> window(Engine& engine, const std::vector<Action>& plan, size_t first,
                                                   size_t last) {
  require(first <= last && last <= plan.size(), "a window lies within the plan");
  const Window window = run(engine, [&] { return solve_window(engine, valid_steps(engine, plan), first, last); });
  return {name_of(window.ending), to_actions(window.plan)};
}

// Of applicable actions in this order, which are taken together.
std::vector<bool> independent_actions(Engine& engine, int64_t state, const std::vector<Action>& actions) {
  const Call call(engine);
  IndependentActions independent(engine);
  independent.begin(check_state(engine, state));
  std::vector<bool> taken;
  for (const auto& [schema, arguments] : actions) {
    check_action(engine, schema, arguments);
    require(engine.applicable(check_state(engine, state), schema, arguments.data()), "an action is not applicable");
    taken.push_back(independent.admits(schema, arguments.data()));
    if (taken.back()) independent.add();
  }
  return taken;
}

}  // namespace

void bind_search(nb::module_& module) {
  module.def("orbit_search", &orbit_search, "heuristics"_a, "Ending and plan.");
  module.def("greedy_search", &greedy_search, "engine"_a, "steps"_a = nb::none(),
             "Ending, plan and number of states valued.");
  module.def("shorten", &changed<without_needless_actions>, "engine"_a, "plan"_a,
             "A valid plan without loops and needless actions.");
  module.def("gather_steps", &changed<gather_steps>, "engine"_a, "plan"_a,
             "A valid plan in an order where steps that build on each other stand together.");
  module.def("independent_actions", &independent_actions, "engine"_a, "state"_a, "actions"_a,
             "Whether each action can be taken together with those before it, if these were taken.");
  module.def("solve_window", &window, "engine"_a, "plan"_a, "first"_a, "last"_a,
             "Some steps of a valid plan again: `solved` with a cheaper plan, `unsolvable` if there is none.");
}

}  // namespace liftq
