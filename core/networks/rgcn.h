// The relational graph convolutional network (Schlichtkrull et al. 2018) as in Mueller et al. 2026: per label the
// maximum over neighbours, summed over labels; Mish after each layer; separate weights for each layer.
//
// Unary relations are features of nodes, binary relations are edges (source, target) with the relation as their label.
#pragma once

#include <vector>

#include "basics/lists.h"
#include "networks/network.h"

namespace liftq {

class RGCN : public Network {
 public:
  struct Options {
    size_t width, layers;
  };
  RGCN(const Weights& weights, const std::vector<int>& arity, Options options, bool with_actions);

  std::unique_ptr<Workspace> workspace(size_t threads) const override;

 protected:
  void embed(const Graph& graph, Workspace& work) const override;

 private:
  struct Edges {             // of one label
    std::vector<int> nodes;  // their ends
    Lists<> neighbours;      // by target: sources; both as places in `nodes`
  };
  struct Work : Workspace {
    using Workspace::Workspace;
    std::vector<Edges> labels;
    std::vector<int> place;     // by node: in `nodes` of the label at hand, or -1
    std::vector<int> feature;   // by node: the last one that was added
    std::vector<float> totals;  // [nodes, padded width]: embeddings of the next layer
    std::vector<float> sent;    // [nodes with edges of one label, padded width]
  };
  struct Layer {
    Linear own;
    std::vector<Linear> labels;
  };
  void lift(const Graph& graph, Work& work) const;
  static void sort_edges(const std::vector<int>& pairs, std::vector<int>& place, Edges& edges);
  void pass_on(const Linear& weight, const Edges& edges, Work& work) const;

  size_t row_;                       // floats of an embedding, padding included
  std::vector<int> unary_, binary_;  // relations
  std::vector<float> features_;      // [unary relations, row_]
  std::vector<float> lift_bias_;
  std::vector<Layer> layers_;
};

}  // namespace liftq
