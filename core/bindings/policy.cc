// Networks and roll-outs for Python. The interpreter is free while they run; signals are looked at every few ms.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "bindings/bindings.h"
#include "networks/graph.h"
#include "networks/rgcn.h"
#include "networks/rgnn.h"
#include "search/rollout.h"

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
  for (int a : arity) require(a > 0 && a <= 32, "a relation has 1 to 32 positions");
  require(width > 0 && width <= 1024, "a width is between 1 and 1024");
  require(layers > 0 && layers <= 1000, "there are 1 to 1000 layers");
}

std::unique_ptr<Network> make_rgnn(const WeightArrays& weights, const std::vector<int>& arity, bool with_actions,
                                   size_t width, size_t layers, float alpha, bool normalize) {
  check_sizes(arity, width, layers);
  require(alpha > 0, "alpha is positive");
  return std::make_unique<RGNN>(weights_of(weights), arity, RGNN::Options{width, layers, alpha, normalize},
                                with_actions);
}

std::unique_ptr<Network> make_rgcn(const WeightArrays& weights, const std::vector<int>& arity, bool with_actions,
                                   size_t width, size_t layers) {
  check_sizes(arity, width, layers);
  for (int a : arity) require(a <= 2, "an RGCN reads features and edges: relations with one or two positions");
  return std::make_unique<RGCN>(weights_of(weights), arity, RGCN::Options{width, layers}, with_actions);
}

Valuer make_valuer(const Network& network, const Engine& engine, const GraphBuilder& builder, bool compress,
                   size_t threads) {
  const Encoding& encoding = builder.encoding();
  check_encoding(encoding, engine.task());
  require(builder.arity() == network.arity(), "the graphs have other relations than the network");
  if (network.with_actions())
    for (int relation : encoding.action) require(relation >= 0, "the network values actions; the graphs have none");
  require(threads > 0 && threads <= 256, "there are 1 to 256 threads");
  return Valuer(network, builder, compress, threads);
}

bool signalled() {
  nb::gil_scoped_acquire gil;
  return PyErr_CheckSignals() != 0;
}

constexpr double kUnlimited = std::numeric_limits<double>::infinity();

Array<float> values(const Network& network, Engine& engine, const GraphBuilder& builder, int64_t state, bool compress,
                    size_t threads) {
  check_state(engine, state);
  std::vector<float> result;
  Watch watch({kUnlimited, kUnlimited, signalled});
  {
    nb::gil_scoped_release free;
    Orbits orbits;
    make_valuer(network, engine, builder, compress, threads)
        .value(engine, static_cast<StateId>(state), watch, orbits, result);
  }
  if (watch.reason() == Stop::interrupt) throw nb::python_error();
  return to_numpy(std::move(result));
}

struct Outcome {
  Ending ending;
  std::vector<Step> plan;  // complete if solved; without a search, as far as the policy came
  size_t decisions;        // states whose candidates were valued
  size_t graphs;           // states that went through the network
  uint64_t multiply_adds;  // in doing so
  bool searched;
  double seconds;
};

Outcome solve(const Network& network, Engine& engine, const GraphBuilder& builder, bool compress, size_t threads,
              std::optional<double> seconds, std::optional<double> memory_bytes, std::optional<uint64_t> steps,
              bool search) {
  Outcome outcome{};
  {
    nb::gil_scoped_release free;
    Watch watch({seconds.value_or(kUnlimited), memory_bytes.value_or(kUnlimited), signalled});
    Valuer valuer = make_valuer(network, engine, builder, compress, threads);
    Rollout rollout(engine, valuer, watch, steps.value_or(std::numeric_limits<size_t>::max()));
    outcome.ending = rollout.run(search);
    if (outcome.ending == Ending::solved || !search) outcome.plan = rollout.plan();
    outcome.decisions = rollout.num_expanded();
    outcome.graphs = valuer.graphs();
    outcome.multiply_adds = valuer.multiply_adds();
    outcome.searched = rollout.searched();
    outcome.seconds = watch.seconds();
  }
  if (outcome.ending == Ending::interrupted) throw nb::python_error();
  return outcome;
}

}  // namespace

void bind_policy(nb::module_& module) {
  nb::class_<Outcome>(module, "Outcome", "How a solve ended.")
      .def_prop_ro("ending", [](const Outcome& self) { return name_of(self.ending); })
      .def_prop_ro("plan",
                   [](const Outcome& self) {
                     nb::list plan;
                     for (const Step& step : self.plan) plan.append(nb::make_tuple(step.schema, step.arguments));
                     return plan;
                   })
      .def_ro("decisions", &Outcome::decisions)
      .def_ro("graphs", &Outcome::graphs)
      .def_ro("multiply_adds", &Outcome::multiply_adds)
      .def_ro("searched", &Outcome::searched)
      .def_ro("seconds", &Outcome::seconds);
  nb::class_<Network>(module, "Network", "A trained network: values candidates and acts by them.")
      .def_static("rgnn", &make_rgnn, "weights"_a, "arity"_a, "with_actions"_a, "width"_a, "layers"_a, "alpha"_a,
                  "normalize"_a)
      .def_static("rgcn", &make_rgcn, "weights"_a, "arity"_a, "with_actions"_a, "width"_a, "layers"_a)
      .def("values", &values, "engine"_a, "builder"_a, "state"_a, "compress"_a = true, "threads"_a = 1)
      .def("solve", &solve, "engine"_a, "builder"_a, "compress"_a = true, "threads"_a = 1, "seconds"_a = nb::none(),
           "memory_bytes"_a = nb::none(), "steps"_a = nb::none(), "search"_a = true);
  module.def("kernels", [] { return kernels().name; }, "The instruction set that the networks run on.");
}

}  // namespace liftq
