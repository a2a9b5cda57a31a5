// The object-atom encoding (Horcik and Sir 2024): each atom is a node behind the choice's own, marked with its relation
// and joined to its arguments, by edges labelled with their positions. Unary relations mark their arguments, too.
#include <algorithm>

#include "basics/watch.h"
#include "networks/graph.h"

namespace liftq {

namespace {

std::vector<int> arity_of(const std::vector<int>& rows) {
  std::vector<int> arity(rows.size(), 1);
  if (!rows.empty()) arity.resize(rows.size() + *std::max_element(rows.begin(), rows.end()), 2);
  return arity;
}

void append(const Graph& rows, const std::vector<int>& arity, Graph& graph) {
  const int first = append_nodes(rows, graph);
  for (size_t relation = 0; relation < arity.size(); ++relation) {
    const std::vector<int>& nodes = rows.relations[relation].nodes;
    poll(nodes.size());
    const size_t positions = arity[relation], atoms = nodes.size() / positions;
    const int first_atom = static_cast<int>(graph.multiplicity.size());
    graph.multiplicity.resize(graph.multiplicity.size() + atoms, 0);
    std::vector<int>& marked = graph.relations[relation].nodes;
    for (size_t atom = 0; atom < atoms; ++atom) marked.push_back(first_atom + static_cast<int>(atom));
    if (positions == 1)
      for (int node : nodes) marked.push_back(first + node);
    for (size_t position = 0; position < positions; ++position) {
      std::vector<int>& edges = graph.relations[arity.size() + position].nodes;
      const auto argument = [&](size_t atom) { return first + nodes[atom * positions + position]; };
      for (size_t atom = 0; atom < atoms; ++atom)
        edges.insert(edges.end(), {argument(atom), first_atom + static_cast<int>(atom)});
      for (size_t atom = 0; atom < atoms; ++atom)
        edges.insert(edges.end(), {first_atom + static_cast<int>(atom), argument(atom)});
    }
  }
  for (Graph::Rows& result : graph.relations) result.counts.resize(result.nodes.size(), 1);
}

const Registry<Form> object_atom("object_atom", {arity_of, append});

}  // namespace

}  // namespace liftq
