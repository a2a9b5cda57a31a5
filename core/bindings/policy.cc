// Networks and roll-outs for Python. The interpreter is free while they run; signals are looked at every few ms.
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/unique_ptr.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "bindings/bindings.h"
#include "networks/graph.h"
#include "networks/rgcn.h"
#include "networks/rgnn.h"
#include "search/solve.h"
#include "search/valuer.h"

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

// Keeps what passes need from state to state.
struct StateValuer {
  StateValuer(const Network& network, Engine& engine, const GraphBuilder& builder, bool compress, size_t threads)
      : graphs(network, threads), states(graphs, engine, builder, compress) {}
  NetworkValuer graphs;
  Valuer states;
};

void make_valuer(StateValuer* self, const Network& network, Engine& engine, const GraphBuilder& builder, bool compress,
                 size_t threads) {
  const Call call(engine);
  new (self) StateValuer(network, engine, builder, compress, threads);
}

Array<float> values(StateValuer& valuer, int64_t state) {
  std::vector<float> result;
  {
    Engine& engine = valuer.states.engine();
    const Call call(engine);
    check_state(engine, state);
    const nb::gil_scoped_release free;
    Orbits orbits;
    valuer.states.value(static_cast<StateId>(state), orbits, result);
  }
  return to_numpy(std::move(result));
}

void make_acting(Acting* self, double gap, double relative_gap, size_t most, double share, double price, bool searching,
                 bool search, bool again, bool give_up) {
  require(gap >= 0 && relative_gap >= 0 && share >= 0 && price >= 0, "gaps, shares and prices are 0 or more");
  require(most > 0, "at least one action is taken");
  new (self) Acting{gap, relative_gap, most, share, price, searching, search, again, give_up};
}

Solution solve(const Network& network, Engine& engine, const GraphBuilder& builder, const Acting& acting,
               std::optional<uint64_t> steps, size_t threads) {
  const Call call(engine);
  const nb::gil_scoped_release free;
  NetworkValuer network_valuer(network, threads);
  Valuer valuer(network_valuer, engine, builder, true);
  return solve_by_policy(valuer, steps.value_or(SIZE_MAX), acting);
}

}  // namespace

void bind_policy(nb::module_& module) {
  nb::class_<Acting>(module, "Acting", "How the values of one pass are turned into actions.")
      .def("__init__", &make_acting, nb::kw_only(), "gap"_a = 0.0, "relative_gap"_a = 0.0, "most"_a = 1,
           "share"_a = 1.0, "price"_a = 0.0, "searching"_a = false, "search"_a = true, "again"_a = false,
           "give_up"_a = false);
  nb::class_<Network>(module, "Network", "A trained network: values candidates and acts by them.")
      .def_static("rgnn", &make_rgnn, "weights"_a, "arity"_a, "with_actions"_a, "width"_a, "layers"_a, "alpha"_a,
                  "normalize"_a, "hidden"_a)
      .def_static("rgcn", &make_rgcn, "weights"_a, "arity"_a, "with_actions"_a, "width"_a, "layers"_a)
      .def("solve", &solve, "engine"_a, "builder"_a, "acting"_a, "steps"_a = nb::none(), "threads"_a = 1);
  nb::class_<StateValuer>(module, "Valuer",
                          "Values candidates, state after state: what a pass computed may serve the next.")
      .def("__init__", &make_valuer, "network"_a, "engine"_a, "builder"_a, "compress"_a = true, "threads"_a = 1,
           nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
      .def("values", &values, "state"_a)
      .def_prop_ro(
          "multiply_adds", [](const StateValuer& valuer) { return valuer.graphs.multiply_adds(); },
          "Of all passes so far, read-outs not counted.");
  module.def("kernels", [] { return std::string(kernels().name); }, "The instruction set that the networks run on.");
}

}  // namespace liftq
