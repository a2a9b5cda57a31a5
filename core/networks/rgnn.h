// The relational graph neural network (Stahlberg, Bonet and Geffner 2022; Algorithm 1 of Mueller et al. 2026).
//
// A layer takes the rows of each relation in tiles: the first linear map of the relation's MLP, Mish, the second, and
// each message straight into the running smooth maximum of its node. The first map is a sum over the arguments; where
// nodes occur in several rows, an argument's part is computed once per node instead of once per row. Where few rows
// differ from those of the pass before, a layer computes only what may change (networks/changes.h). A kept embedding
// stays if the new one differs by rounding alone. So a change ends where it no longer matters, and errors do not add
// up: an embedding is always within rounding of what follows from those that were kept a layer below.
#pragma once

#include <atomic>
#include <vector>

#include "networks/changes.h"
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
    bool projected = false;
    size_t first_source = 0, sources = 0;  // nodes that occur here, in Plan::sources
    size_t first_row = 0;                  // into Plan::source_of
    size_t first_projected = 0;            // into Work::projected
  };
  struct Plan {
    std::vector<Argument> arguments;  // by relation and position
    std::vector<int> sources;
    std::vector<int> source_of;  // by row: which of the sources
    void clear() { arguments.clear(), sources.clear(), source_of.clear(); }
  };
  struct Rows {                  // of one relation
    const int *nodes, *targets;  // whose embeddings are read, and which nodes receive the messages
    const float* counts;
    size_t count;
  };
  struct Selection {  // of rows of one relation
    std::vector<int> nodes, targets;
    std::vector<float> counts;
    Plan plan;
    void clear() { nodes.clear(), targets.clear(), counts.clear(), plan.clear(); }
  };
  struct Work : Workspace {
    using Workspace::Workspace;
    Plan plan;                     // of all rows
    std::vector<uint64_t> kinds;   // by relation: which of its arguments are projected
    std::vector<int> source_mark;  // by node: its place among the sources, or -1
    std::vector<float> projected;
    std::vector<float> running;       // [nodes and one more, 2, padded width]: running smooth maxima
    std::atomic<size_t> turn;         // the tile whose messages are received next
    const float* before = nullptr;    // embeddings that the layer reads
    std::vector<int> nodes;           // that the layer updates
    std::vector<uint8_t> is_changed;  // by position in `nodes`: whether the kept embedding was replaced
    // Of passes that keep embeddings for the next one:
    Changes changes;
    std::vector<std::vector<float>> kept;  // by layer: embeddings after it
    std::vector<int> changed;
    Selection selection;
    size_t passes_to_skip = 0, times_in_vain = 0;
  };

  void embed_changes(const Graph& graph, Work& work) const;
  bool keeps(const Graph& graph, Work& work) const;
  static void take_all(size_t nodes, Work& work);
  static void advance(Work& work);
  void clear_running(Work& work) const;
  void update(float* after, bool keeps_close, Work& work) const;
  void normalize(size_t rows, float* changes) const;

  void plan(const Graph& graph, Work& work) const;
  static Argument find_sources(const int* nodes, size_t count, size_t stride, Plan& plan,
                               std::vector<int>& source_mark);
  void send_all(const Graph& graph, size_t layer, Work& work) const;
  void send_selected(const Graph& graph, Work& work) const;
  void send_alike(const Rows& rows, const Message& message, Work& work) const;
  void send(const Rows& rows, const Message& message, Argument* arguments, const Plan& plan, Work& work) const;
  void project(const Message& message, Argument* arguments, const Plan& plan, Work& work) const;
  void fill_hidden(const Rows& rows, const Message& message, const Argument* arguments, const Plan& plan, size_t first,
                   size_t count, const Work& work, Workspace::Tile& tile) const;
  void gather(const int* nodes, size_t count, size_t stride, const Work& work, float* target) const;

  Options options_;
  size_t row_;                     // floats of an embedding, padding included
  size_t widest_ = 0;              // floats of the widest hidden or output row
  std::vector<Message> messages_;  // by relation
  Linear update_inner_, update_outer_;
};

}  // namespace liftq
