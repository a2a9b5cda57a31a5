// The relational graph convolutional network (Schlichtkrull et al. 2018) as in Mueller et al. 2026: per label the
// maximum over neighbours, summed over labels; Mish after each layer; separate weights for each layer.
#pragma once

#include <vector>

#include "networks/label_graph.h"
#include "networks/network.h"

namespace liftq {

class RGCN : public Network {
 public:
  struct Options {
    size_t width, layers;
    bool atoms_are_nodes;  // the object-atom encoding, else the object encoding
  };
  RGCN(const Weights& weights, const std::vector<int>& arity, Options options, bool with_actions);

  std::unique_ptr<Workspace> workspace(size_t threads) const override;

 protected:
  bool embed(const Graph& graph, Workspace& work, Watch& watch) const override;

 private:
  struct Work : Workspace {
    using Workspace::Workspace;
    LabelGraphBuilder::Room room;
    LabelGraph graph;
    std::vector<float> totals;  // [nodes, padded width]: embeddings of the next layer
    std::vector<float> sent;    // [nodes with edges of one label, padded width]
  };
  struct Layer {
    Linear own;
    std::vector<Linear> labels;
  };
  void lift(Work& work) const;
  void pass_on(const Linear& weight, const LabelGraph::Edges& edges, Work& work) const;

  size_t row_;  // floats of an embedding, padding included
  LabelGraphBuilder builder_;
  std::vector<float> features_;  // [unary relations, row_]
  std::vector<float> lift_bias_;
  std::vector<Layer> layers_;
};

}  // namespace liftq
