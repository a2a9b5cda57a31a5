// Searches for Python. The interpreter's lock is released while they run.
#include <nanobind/stl/optional.h>

#include <cstdint>
#include <optional>
#include <tuple>

#include "bindings/bindings.h"
#include "search/elimination.h"
#include "search/hand_over.h"
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

Solution orbit_search(Heuristics& heuristics) {
  return run(heuristics.engine(), [&] { return solve_optimally(heuristics); });
}

Solution greedy_search(Engine& engine, std::optional<uint64_t> steps) {
  return run(engine, [&] { return solve_greedily(engine, steps.value_or(SIZE_MAX)); });
}

Solution novelty_search(Engine& engine, std::optional<uint64_t> steps) {
  return run(engine, [&] { return solve_by_novelty(engine, steps.value_or(SIZE_MAX)); });
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

Solution window(Engine& engine, const std::vector<Action>& plan, size_t first, size_t last) {
  require(first <= last && last <= plan.size(), "a window lies within the plan");
  return run(engine, [&] { return solve_window(engine, valid_steps(engine, plan), first, last); });
}

std::tuple<std::vector<Action>, size_t, size_t> gathered_window(Engine& engine, const std::vector<Action>& plan,
                                                                const std::vector<size_t>& chosen) {
  for (size_t step : chosen) require(step < plan.size(), "a chosen step is one of the plan");
  const Window window = run(engine, [&] { return gather_window(engine, valid_steps(engine, plan), chosen); });
  return {to_actions(window.plan), window.first, window.last};
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
  nb::class_<Solution>(module, "Solution", "How a solve ended, and what it took.")
      .def_prop_ro("ending", [](const Solution& self) { return name_of(self.ending); })
      .def_prop_ro("plan", [](const Solution& self) { return to_actions(self.plan); })
      .def_ro("valued", &Solution::valued)
      .def_ro("passes", &Solution::passes)
      .def_ro("states_valued", &Solution::states_valued)
      .def_ro("multiply_adds", &Solution::multiply_adds)
      .def_ro("times_lost", &Solution::times_lost)
      .def_ro("states_searched", &Solution::states_searched);
  module.def("orbit_search", &orbit_search, "heuristics"_a);
  module.def("greedy_search", &greedy_search, "engine"_a, "steps"_a = nb::none());
  module.def("novelty_search", &novelty_search, "engine"_a, "steps"_a = nb::none());
  module.def("shorten", &changed<without_needless_actions>, "engine"_a, "plan"_a,
             "A valid plan without loops and needless actions.");
  module.def("gather_steps", &changed<gather_steps>, "engine"_a, "plan"_a,
             "A valid plan in an order where steps that build on each other stand together.");
  module.def("gather_window", &gathered_window, "engine"_a, "plan"_a, "chosen"_a,
             "A valid plan in which the chosen steps stand together, and from where to where.");
  module.def("hand_over", &changed<hand_over>, "engine"_a, "plan"_a,
             "A cheaper plan in which one object does the work of another, or the same plan.");
  module.def("independent_actions", &independent_actions, "engine"_a, "state"_a, "actions"_a,
             "Whether each action can be taken together with those before it, if these were taken.");
  module.def("solve_window", &window, "engine"_a, "plan"_a, "first"_a, "last"_a,
             "Some steps of a valid plan again: `solved` with a cheaper plan, `unsolvable` if there is none.");
}

}  // namespace liftq
