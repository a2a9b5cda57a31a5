// Networks and roll-outs for Python. The interpreter is free while they run; signals are looked at every few ms.
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/unique_ptr.h>

#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "bindings/bindings.h"
#include "networks/graph.h"
#include "networks/rgcn.h"
#include "networks/rgnn.h"
#include "search/solve.h"

namespace liftq {

using namespace nb::literals;

namespace {

using Floats = nb::ndarray<const float, nb::c_contig, nb::device::cpu>;
using WeightArrays = std::map<std::string, Floats>;

Weights weights_of(const WeightArrays& arrays) {
  Weights weights;
  for (const auto& [name, array] : arrays) {
    std::vector<size_t> shape;
    for (size_t i = 0; i < array.ndim(); ++i) shape.push_back(array.shape(i));
    weights.add(name, {array.data(), std::move(shape)});
  }
  return weights;
}

void check_sizes(const std::vector<int>& arity, size_t width, size_t layers) {
  for (int a : arity)
    if (a > 32) throw std::domain_error("an action has more than 31 parameters\n  Networks can do with 31 at most.");
  for (int a : arity) require(a > 0, "a relation has at least one position");
  require(width > 0 && width <= 1024, "a width is between 1 and 1024");
  require(layers > 0 && layers <= 1000, "there are 1 to 1000 layers");
}

std::unique_ptr<Network> make_rgnn(const WeightArrays& weights, const std::vector<int>& arity, bool with_actions,
                                   size_t width, size_t layers, float alpha, bool normalize, size_t hidden) {
  check_sizes(arity, width, layers);
  require(alpha > 0, "alpha is positive");
  return std::make_unique<RGNN>(weights_of(weights), arity, RGNN::Options{width, layers, alpha, normalize, hidden},
                                with_actions);
}

std::unique_ptr<Network> make_rgcn(const WeightArrays& weights, const std::vector<int>& arity, bool with_actions,
                                   size_t width, size_t layers) {
  check_sizes(arity, width, layers);
  for (int a : arity) require(a <= 2, "an RGCN reads features and edges: relations with one or two positions");
  return std::make_unique<RGCN>(weights_of(weights), arity, RGCN::Options{width, layers}, with_actions);
}

Array<float> values(const Network& network, Engine& engine, const GraphBuilder& builder, int64_t state, bool compress,
                    size_t threads) {
  std::vector<float> result;
  {
    const Call call(engine);
    check_state(engine, state);
    const nb::gil_scoped_release free;
    Orbits orbits;
    Valuer(network, engine, builder, compress, threads).value(static_cast<StateId>(state), orbits, result);
  }
  return to_numpy(std::move(result));
}

PolicySolution solve(const Network& network, Engine& engine, const GraphBuilder& builder, bool compress, size_t threads,
                     std::optional<uint64_t> steps, bool search, double gap, double relative_gap, size_t most,
                     double share, double price, bool searching, bool give_up, bool again) {
  require(gap >= 0 && relative_gap >= 0 && share >= 0 && price >= 0, "gaps, shares and prices are 0 or more");
  require(most > 0, "at least one action is taken");
  const Call call(engine);
  const nb::gil_scoped_release free;
  Valuer valuer(network, engine, builder, compress, threads);
  return solve_by_policy(valuer, steps.value_or(std::numeric_limits<size_t>::max()),
                         {gap, relative_gap, most, share, price, searching}, search, give_up, again);
}

}  // namespace

void bind_policy(nb::module_& module) {
  nb::class_<PolicySolution>(module, "Solution", "How a solve ended.")
      .def_prop_ro("ending", [](const PolicySolution& self) { return name_of(self.ending); })
      .def_prop_ro("plan", [](const PolicySolution& self) { return to_actions(self.plan); })
      .def_ro("valued", &PolicySolution::valued)
      .def_ro("decisions", &PolicySolution::decisions)
      .def_ro("graphs", &PolicySolution::graphs)
      .def_ro("multiply_adds", &PolicySolution::multiply_adds)
      .def_ro("times_lost", &PolicySolution::times_lost)
      .def_ro("states_searched", &PolicySolution::states_searched);
  nb::class_<Network>(module, "Network", "A trained network: values candidates and acts by them.")
      .def_static("rgnn", &make_rgnn, "weights"_a, "arity"_a, "with_actions"_a, "width"_a, "layers"_a, "alpha"_a,
                  "normalize"_a, "hidden"_a)
      .def_static("rgcn", &make_rgcn, "weights"_a, "arity"_a, "with_actions"_a, "width"_a, "layers"_a)
      .def("values", &values, "engine"_a, "builder"_a, "state"_a, "compress"_a = true, "threads"_a = 1)
      .def("solve", &solve, "engine"_a, "builder"_a, "compress"_a = true, "threads"_a = 1, "steps"_a = nb::none(),
           "search"_a = true, "gap"_a = 0.0, "relative_gap"_a = 0.0, "most"_a = 1, "share"_a = 1.0, "price"_a = 0.0,
           "searching"_a = false, "give_up"_a = false, "again"_a = false);
  module.def("kernels", [] { return std::string(kernels().name); }, "The instruction set that the networks run on.");
}

}  // namespace liftq
