// The optimal search for Python. The interpreter's lock is released while it runs.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include "bindings/bindings.h"
#include "search/orbit_search.h"

using namespace nanobind::literals;

namespace liftq {
namespace {

nb::tuple search(Heuristics& heuristics) {
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
  nb::list steps;
  for (const Step& step : plan) steps.append(nb::make_tuple(step.schema, step.arguments));
  return nb::make_tuple(name_of(outcome.ending), steps);
}

}  // namespace

void bind_search(nb::module_& module) { module.def("orbit_search", &search, "heuristics"_a, "Ending and plan."); }

}  // namespace liftq
