// Graphs with labelled edges, as the RGCN reads them, from the rows of a relational graph (Horcik and Sir 2024).
//
// The object encoding joins objects that share an atom, labelled with its relation. The object-atom encoding makes each
// atom a node behind the choice's own, joined to its arguments, labelled with their positions.
#pragma once

#include <cstddef>
#include <vector>

#include "networks/graph.h"

namespace liftq {

struct LabelGraph {
  struct Edges {                  // of one label; every edge goes both ways
    std::vector<int> nodes;       // that have such edges
    std::vector<size_t> first;    // by place in `nodes`: its first neighbour, with one past the end
    std::vector<int> neighbours;  // places in `nodes`
  };
  size_t num_nodes = 0;                    // nodes of the relational graph come first and keep their numbers
  std::vector<int> feature_node, feature;  // a node, and a unary relation that holds of it
  std::vector<Edges> labels;
};

class LabelGraphBuilder {
 public:
  LabelGraphBuilder(const std::vector<int>& arity, bool with_atoms);

  size_t num_features() const { return num_features_; }
  size_t num_labels() const { return num_labels_; }

  struct Room {                           // kept from graph to graph
    std::vector<std::vector<int>> pairs;  // by label: node, neighbour
    std::vector<int> marks, place;        // by node
  };
  void build(const Graph& graph, Room& room, LabelGraph& result) const;

 private:
  void add_feature(int node, int feature, Room& room, LabelGraph& result) const;
  static void sort_edges(const std::vector<int>& pairs, std::vector<int>& place, LabelGraph::Edges& edges);

  std::vector<size_t> arity_;
  bool with_atoms_;
  std::vector<int> number_;  // by relation: of its feature or, without atoms, of its feature or label
  size_t num_features_ = 0, num_labels_ = 0;
};

}  // namespace liftq
