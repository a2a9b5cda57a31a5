// Graphs for Python: what encoders are built from.
#include "networks/graph.h"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/unique_ptr.h>

#include <memory>
#include <string>
#include <tuple>

#include "bindings/bindings.h"

namespace liftq {

using namespace nb::literals;

namespace {

using ByIndex = std::vector<int>;

void append(GraphBuilder& self, Engine& engine, int64_t state, bool compress, const Orbits* orbits, Graph& graph,
            bool knows_relaxed) {
  const Call call(engine);
  const nb::gil_scoped_release release;
  check_encoding(self.encoding(), engine.task());
  if (orbits) check_candidates(self.encoding(), engine.task(), *orbits);
  require(graph.relations.size() == self.arity().size(), "a graph of another builder");
  require(!self.heuristics() || &self.heuristics()->engine() == &engine, "heuristics of another task");
  const StateId id = static_cast<StateId>(check_state(engine, state));
  self.append(engine, id, compress ? engine.twins(id) : engine.no_twins(), orbits, graph, knows_relaxed);
}

const Graph::Rows& rows_of(const Graph& graph, size_t relation) {
  require(relation < graph.relations.size(), "no such relation");
  return graph.relations[relation];
}

std::tuple<Array<int>, Array<float>, Array<int64_t>> relation_arrays(const GraphBuilder& builder, const Graph& graph,
                                                                     int relation) {
  checked(relation, graph.relations.size(), "no such relation");
  const auto& rows = graph.relations[relation];
  const size_t arity = builder.arity()[relation], count = rows.nodes.size() / arity;
  return {to_numpy(rows.nodes, {count, arity}), to_numpy(rows.counts, {count, arity}), to_numpy(rows.first)};
}

}  // namespace

void bind_graph(nb::module_& module) {
  nb::class_<Graph>(module, "Graph", "Choices as rows of nodes, relation by relation.")
      .def_prop_ro("multiplicity", [](const Graph& self) { return view(self.multiplicity); })
      .def_prop_ro("first_node", [](const Graph& self) { return view(self.first_node); })
      .def_prop_ro("candidate_node", [](const Graph& self) { return view(self.candidate_node); })
      .def_prop_ro("first_candidate", [](const Graph& self) { return view(self.first_candidate); })
      .def_prop_ro("num_relations", [](const Graph& self) { return self.relations.size(); })
      .def(
          "nodes", [](const Graph& self, size_t relation) { return view(rows_of(self, relation).nodes); }, "relation"_a,
          nb::rv_policy::reference_internal, "The nodes of its rows, one row after the other.")
      .def(
          "counts", [](const Graph& self, size_t relation) { return view(rows_of(self, relation).counts); },
          "relation"_a, nb::rv_policy::reference_internal)
      .def(
          "first", [](const Graph& self, size_t relation) { return view(rows_of(self, relation).first); }, "relation"_a,
          nb::rv_policy::reference_internal);
  nb::class_<GraphBuilder>(module, "GraphBuilder", "Turns choices of a task into graphs.")
      .def(
          "__init__",
          [](GraphBuilder* self, const std::string& form, ByIndex arity, ByIndex atom, ByIndex goal_true,
             ByIndex goal_false, ByIndex forbidden_true, ByIndex forbidden_false, std::vector<ByIndex> types,
             ByIndex action, ByIndex relaxed, std::vector<ByIndex> predicate_order, std::vector<ByIndex> schema_order,
             int helpful, int dead_end, int too_large, std::shared_ptr<Heuristics> heuristics,
             const std::vector<std::pair<int, std::vector<int>>>& presumed) {
            for (int a : arity) require(a > 0, "a relation has at least one position");
            Encoding encoding{std::move(arity),
                              std::move(atom),
                              std::move(goal_true),
                              std::move(goal_false),
                              std::move(forbidden_true),
                              std::move(forbidden_false),
                              std::move(types),
                              std::move(action),
                              std::move(relaxed),
                              std::move(predicate_order),
                              std::move(schema_order),
                              helpful,
                              dead_end,
                              too_large,
                              {}};
            for (const auto& [predicate, arguments] : presumed) encoding.presumed.push_back({predicate, arguments});
            require(heuristics || !encoding.has_relaxed(), "relaxed plans need heuristics");
            new (self) GraphBuilder(std::move(encoding), Registry<Form>::find(form), std::move(heuristics));
          },
          "form"_a, "arity"_a, "atom"_a, "goal_true"_a, "goal_false"_a, "forbidden_true"_a, "forbidden_false"_a,
          "types"_a, "action"_a, "relaxed"_a, "predicate_order"_a, "schema_order"_a, "helpful"_a, "dead_end"_a,
          "too_large"_a, "heuristics"_a.none(), "presumed"_a = nb::list())
      .def_prop_ro("arity", &GraphBuilder::arity, "by relation of its graphs")
      .def(
          "graph", [](const GraphBuilder& self) { return std::make_unique<Graph>(self.arity().size()); },
          "A new one, without choices.")
      .def("append", &append, "engine"_a, "state"_a, "compress"_a, "orbits"_a.none(), "graph"_a,
           "knows_relaxed"_a = true)
      .def("relation", &relation_arrays, "graph"_a, "relation"_a);
}

}  // namespace liftq
