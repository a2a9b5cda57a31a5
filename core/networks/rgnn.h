// The relational graph neural network (Stahlberg, Bonet and Geffner 2022; Algorithm 1 of Mueller et al. 2026).
//
// A layer takes the rows of each relation in tiles: the first linear map of the relation's MLP, Mish, the second, and
// each message straight into the running smooth maximum of its node. The first map is a sum over the arguments; where
// nodes occur in several rows, an argument's part is computed once per node instead of once per row.
#pragma once

#include <atomic>
#include <vector>

#include "networks/network.h"

namespace liftq {

class RGNN : public Network {
 public:
  struct Options {
    size_t width, layers;
    float alpha;     // sharpness of the smooth maximum
    bool normalize;  // layer norm on the update
    size_t hidden;   // most units in the hidden layer of a message network; 0 for as many as it has inputs
  };
  RGNN(const Weights& weights, const std::vector<int>& arity, Options options, bool with_actions);

  std::unique_ptr<Workspace> workspace(size_t threads) const override;

 protected:
  void embed(const Graph& graph, Workspace& work) const override;

 private:
  struct Message {              // the MLP of one relation
    std::vector<Linear> inner;  // by argument; the first one has the bias
    Linear all_inner;           // of all arguments side by side, for rows of which none is projected
    Linear outer;
  };
  struct Argument {  // of a relation whose rows are to be computed
    bool projected;
    size_t first_source, sources;  // nodes that occur here, in Work::sources
    size_t first_row;              // into Work::source_of
    size_t first_projected;        // into Work::projected
  };
  struct Work : Workspace {
    using Workspace::Workspace;
    std::vector<Argument> arguments;  // by relation and position
    std::vector<int> sources;
    std::vector<int> source_of;    // by row: which of the sources
    std::vector<int> source_mark;  // by node: its place among the sources, or -1
    std::vector<float> projected;
    std::vector<float> running;  // [nodes, 2, padded width]: running smooth maxima
    std::atomic<size_t> turn;    // the tile whose messages are received next
  };

  void plan(const Graph& graph, Work& work) const;
  size_t plan_argument(const Graph::Rows& rows, size_t arity, size_t position, size_t& next_projected,
                       Work& work) const;
  void send_alike(const Graph::Rows& rows, const Message& message, Work& work) const;
  void project(size_t relation, const Argument* arguments, Work& work) const;
  void send(const Graph::Rows& rows, size_t relation, const Argument* arguments, Work& work) const;
  void fill_hidden(const Graph::Rows& rows, const Message& message, const Argument* arguments, size_t first,
                   size_t count, const Work& work, Workspace::Tile& tile) const;
  void gather(const int* nodes, size_t count, size_t stride, const Work& work, float* target) const;
  void update(size_t nodes, Work& work) const;
  void add_normalized(const float* changes, size_t rows, float* embeddings) const;

  Options options_;
  size_t row_;                     // floats of an embedding, padding included
  size_t widest_ = 0;              // floats of the widest hidden or output row
  std::vector<Message> messages_;  // by relation
  Linear update_inner_, update_outer_;
};

}  // namespace liftq
