// The object encoding (Horcik and Sir 2024): objects that share an atom are joined, by an edge that has the atom's
// relation as its label. Unary relations are features of nodes.
#include <algorithm>

#include "basics/watch.h"
#include "networks/graph.h"

namespace liftq {

namespace {

std::vector<int> arity_of(const std::vector<int>& rows) {
  std::vector<int> arity;
  for (int a : rows) arity.push_back(std::min(a, 2));
  return arity;
}

void append(const Graph& rows, const std::vector<int>& arity, Graph& graph) {
  const int first = append_nodes(rows, graph);
  for (size_t relation = 0; relation < arity.size(); ++relation) {
    const std::vector<int>& nodes = rows.relations[relation].nodes;
    poll(nodes.size());
    Graph::Rows& result = graph.relations[relation];
    if (arity[relation] == 1) {
      for (int node : nodes) result.nodes.push_back(first + node);
    } else {
      for (const int* row = nodes.data(); row != nodes.data() + nodes.size(); row += arity[relation])
        for (int i = 0; i < arity[relation]; ++i)
          for (int j = 0; j < arity[relation]; ++j)
            if (i != j) result.nodes.insert(result.nodes.end(), {first + row[i], first + row[j]});
    }
    result.counts.resize(result.nodes.size(), 1);
  }
}

const Registry<Form> object("object", {arity_of, append});

}  // namespace

}  // namespace liftq
