// The optimal search for Python. The interpreter's lock is released while it runs, but to ask whether to go on.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <limits>
#include <optional>

#include "bindings/bindings.h"
#include "search/orbit_search.h"

using namespace nanobind::literals;

namespace liftq {
namespace {

constexpr double kUnlimited = std::numeric_limits<double>::infinity();

nb::tuple search(Heuristics& heuristics, std::optional<double> seconds, std::optional<double> memory_bytes,
                 const nb::callable& interrupted) {
  std::vector<Step> plan;
  Ending ending;
  {
    nb::gil_scoped_release free;
    Watch watch({seconds.value_or(kUnlimited), kUnlimited, [&] {
                   nb::gil_scoped_acquire gil;
                   return nb::cast<bool>(interrupted());
                 }});
    OrbitSearch search(heuristics, watch, memory_bytes.value_or(kUnlimited));
    ending = search.run();
    if (ending == Ending::solved) plan = search.plan();
  }
  nb::list steps;
  for (const Step& step : plan) steps.append(nb::make_tuple(step.schema, step.arguments));
  return nb::make_tuple(name_of(ending), steps);
}

}  // namespace

void bind_search(nb::module_& module) {
  module.def("orbit_search", &search, "heuristics"_a, "seconds"_a, "memory_bytes"_a, "interrupted"_a,
             "Ending and plan. The memory is that of the search alone.");
}

}  // namespace liftq
