// Graphs for Python: what encoders are built from.
#include "networks/graph.h"

#include <nanobind/stl/unique_ptr.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <tuple>

#include "bindings/bindings.h"

namespace liftq {

using namespace nb::literals;

namespace {

using ByIndex = std::vector<int>;

void check_relations(const Encoding& encoding, const ByIndex& relations, const std::vector<int>& arities) {
  require(relations.size() == arities.size(), "an encoding names a relation, or -1, for each predicate and schema");
  for (size_t i = 0; i < relations.size(); ++i) {
    if (relations[i] < 0) continue;
    checked(relations[i], encoding.arity.size(), "no such relation");
    require(encoding.arity[relations[i]] == arities[i], "a relation has another arity than its atoms");
  }
}

void check_orders(const std::vector<ByIndex>& orders, const std::vector<int>& lengths) {
  require(orders.size() == lengths.size(), "an encoding has an order of arguments for each predicate and schema");
  for (size_t i = 0; i < orders.size(); ++i) {
    ByIndex positions(lengths[i]);
    std::iota(positions.begin(), positions.end(), 0);
    require(std::is_permutation(orders[i].begin(), orders[i].end(), positions.begin(), positions.end()),
            "an order names each argument once");
  }
}

}  // namespace

void check_encoding(const Encoding& encoding, const Task& task) {
  std::vector<int> predicates, schemas;
  for (const auto& predicate : task.predicates) predicates.push_back(predicate.arity);
  for (const auto& schema : task.schemas) schemas.push_back(static_cast<int>(schema.parameter_types.size()));
  check_orders(encoding.predicate_order, predicates);
  check_orders(encoding.schema_order, schemas);
  for (int& arity : predicates) arity = std::max(1, arity);
  for (int& arity : schemas) ++arity;  // the action itself comes first
  for (const ByIndex* relations :
       {&encoding.atom, &encoding.goal_true, &encoding.goal_false, &encoding.forbidden_true, &encoding.forbidden_false})
    check_relations(encoding, *relations, predicates);
  check_relations(encoding, encoding.action, schemas);
  require(encoding.types.size() == task.object_type.size(), "an encoding lists the types of each object");
  for (const ByIndex& types : encoding.types) check_relations(encoding, types, std::vector<int>(types.size(), 1));
}

namespace {

void check_orbits(const Encoding& encoding, const Task& task, const Orbits& orbits) {
  for (int relation : encoding.action) require(relation >= 0, "there is a schema without a relation for its actions");
  for (size_t orbit = 0; orbit < orbits.count(); ++orbit) {
    const int schema = checked(orbits.schema_of[orbit], task.schemas.size(), "candidates of another task");
    const size_t arity = task.schemas[schema].parameter_types.size();
    require(static_cast<size_t>(orbits.arity_of(orbit)) == arity, "candidates of another task");
  }
  for (int object : orbits.arguments.items()) checked(object, task.object_type.size(), "candidates of another task");
}

void append(GraphBuilder& self, Engine& engine, int64_t state, bool compress, const Orbits* orbits, Graph& graph) {
  const Call call(engine);
  const nb::gil_scoped_release release;
  check_encoding(self.encoding(), engine.task());
  if (orbits) check_orbits(self.encoding(), engine.task(), *orbits);
  require(graph.relations.size() == self.arity().size(), "a graph of another builder");
  const StateId id = static_cast<StateId>(check_state(engine, state));
  self.append(engine, id, compress ? engine.twins(id) : engine.no_twins(), orbits, graph);
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
      .def_prop_ro("first_candidate", [](const Graph& self) { return view(self.first_candidate); });
  nb::class_<GraphBuilder>(module, "GraphBuilder", "Turns choices of a task into graphs.")
      .def(
          "__init__",
          [](GraphBuilder* self, const std::string& form, ByIndex arity, ByIndex atom, ByIndex goal_true,
             ByIndex goal_false, ByIndex forbidden_true, ByIndex forbidden_false, std::vector<ByIndex> types,
             ByIndex action, std::vector<ByIndex> predicate_order, std::vector<ByIndex> schema_order) {
            for (int a : arity) require(a > 0, "a relation has at least one position");
            new (self) GraphBuilder({std::move(arity), std::move(atom), std::move(goal_true), std::move(goal_false),
                                     std::move(forbidden_true), std::move(forbidden_false), std::move(types),
                                     std::move(action), std::move(predicate_order), std::move(schema_order)},
                                    Registry<Form>::find(form));
          },
          "form"_a, "arity"_a, "atom"_a, "goal_true"_a, "goal_false"_a, "forbidden_true"_a, "forbidden_false"_a,
          "types"_a, "action"_a, "predicate_order"_a, "schema_order"_a)
      .def_prop_ro("arity", &GraphBuilder::arity, "by relation of its graphs")
      .def(
          "graph", [](const GraphBuilder& self) { return std::make_unique<Graph>(self.arity().size()); },
          "A new one, without choices.")
      .def("append", &append, "engine"_a, "state"_a, "compress"_a, "orbits"_a.none(), "graph"_a)
      .def("relation", &relation_arrays, "graph"_a, "relation"_a);
}

}  // namespace liftq
