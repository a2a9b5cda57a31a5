#include "networks/label_graph.h"

#include <algorithm>

namespace liftq {

LabelGraphBuilder::LabelGraphBuilder(const std::vector<int>& arity, bool with_atoms)
    : arity_(arity.begin(), arity.end()), with_atoms_(with_atoms) {
  for (size_t a : arity_) {
    number_.push_back(static_cast<int>(with_atoms || a == 1 ? num_features_++ : num_labels_++));
    if (with_atoms) num_labels_ = std::max(num_labels_, a);
  }
}

void LabelGraphBuilder::build(const Graph& graph, Room& room, LabelGraph& result) const {
  size_t nodes = graph.multiplicity.size();
  size_t atoms = 0;
  for (size_t relation = 0; relation < arity_.size(); ++relation)
    atoms += graph.relations[relation].nodes.size() / arity_[relation];
  result.num_nodes = nodes + (with_atoms_ ? atoms : 0);
  result.feature_node.clear();
  result.feature.clear();
  room.marks.assign(result.num_nodes, -1);
  room.pairs.resize(num_labels_);
  for (auto& pairs : room.pairs) pairs.clear();
  for (size_t relation = 0; relation < arity_.size(); ++relation) {
    const size_t arity = arity_[relation];
    const std::vector<int>& row_nodes = graph.relations[relation].nodes;
    for (const int* row = row_nodes.data(); row != row_nodes.data() + row_nodes.size(); row += arity) {
      if (arity == 1) add_feature(*row, number_[relation], room, result);
      if (with_atoms_) {
        const int atom = static_cast<int>(nodes++);
        add_feature(atom, number_[relation], room, result);
        for (size_t i = 0; i < arity; ++i) room.pairs[i].insert(room.pairs[i].end(), {row[i], atom, atom, row[i]});
      } else {
        for (size_t i = 0; arity > 1 && i < arity; ++i)
          for (size_t j = 0; j < arity; ++j)
            if (i != j) room.pairs[number_[relation]].insert(room.pairs[number_[relation]].end(), {row[i], row[j]});
      }
    }
  }
  result.labels.resize(num_labels_);
  room.place.resize(result.num_nodes);
  for (size_t label = 0; label < num_labels_; ++label) sort_edges(room.pairs[label], room.place, result.labels[label]);
}

// A relation is said of a node once, though the goal may name it twice. Relations come one after the other.
void LabelGraphBuilder::add_feature(int node, int feature, Room& room, LabelGraph& result) const {
  if (room.marks[node] == feature) return;
  room.marks[node] = feature;
  result.feature_node.push_back(node);
  result.feature.push_back(feature);
}

void LabelGraphBuilder::sort_edges(const std::vector<int>& pairs, std::vector<int>& place, LabelGraph::Edges& edges) {
  edges.nodes.clear();
  edges.first.assign(1, 0);
  std::fill(place.begin(), place.end(), -1);
  for (size_t i = 0; i < pairs.size(); i += 2) {
    int& index = place[pairs[i]];
    if (index < 0) {
      index = static_cast<int>(edges.nodes.size());
      edges.nodes.push_back(pairs[i]);
      edges.first.push_back(0);
    }
    ++edges.first[index + 1];
  }
  for (size_t i = 1; i < edges.first.size(); ++i) edges.first[i] += edges.first[i - 1];
  edges.neighbours.resize(pairs.size() / 2);
  for (size_t i = 0; i < pairs.size(); i += 2)  // moves each end to its start
    edges.neighbours[--edges.first[place[pairs[i]] + 1]] = place[pairs[i + 1]];
  edges.first.erase(edges.first.begin());
  edges.first.push_back(edges.neighbours.size());
}

}  // namespace liftq
