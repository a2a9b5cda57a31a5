// What the networks share: weights by name, room to work in, and the read-out from embeddings to values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "basics/pool.h"
#include "networks/graph.h"
#include "networks/linear.h"

namespace liftq {

struct Weight {
  const float* data;
  std::vector<size_t> shape;
};

// Checks the shape of whatever is asked for.
class Weights {
 public:
  void add(std::string name, Weight weight) { weights_.emplace(std::move(name), std::move(weight)); }
  const float* operator()(const std::string& name, const std::vector<size_t>& shape) const;

 private:
  std::map<std::string, Weight> weights_;
};

constexpr size_t kTile = 48;  // rows that pass through a network together; 24 to 96 were measured to be alike
constexpr size_t tiles_of(size_t rows) { return (rows + kTile - 1) / kTile; }

// Buffers that keep their memory from state to state. Each user of a network brings a workspace, so that one network
// can serve many at a time; networks add what they need.
struct Workspace {
  explicit Workspace(size_t threads) : pool(threads), tiles(threads) {}
  virtual ~Workspace() = default;

  struct Tile {  // of one thread
    std::vector<float> inputs, hidden, outputs;
    std::vector<const float*> sources;  // parts of `hidden` that were computed before
  };
  Pool pool;
  std::vector<Tile> tiles;
  std::vector<float> embeddings;  // [nodes, padded width]
  uint64_t multiply_adds = 0;     // of all passes so far, read-outs not counted
};

// The first and second layer of MLP(h, h_state), or MLP(h_state).
class ReadOut {
 public:
  ReadOut(const Weights& weights, size_t width, bool with_actions);

  // One value per candidate or, without actions, per choice.
  void values(const Graph& graph, Workspace& work, std::vector<float>& values) const;

 private:
  void sum_objects(const Graph& graph, size_t choice, const std::vector<float>& embeddings, float* sum) const;

  size_t width_;
  bool with_actions_;
  std::vector<Linear> action_;  // none, or one
  Linear state_, outer_;
};

class Network {
 public:
  Network(const Weights& weights, std::vector<int> arity, size_t width, bool with_actions)
      : width_(width), with_actions_(with_actions), arity_(std::move(arity)), read_out_(weights, width, with_actions) {}
  virtual ~Network() = default;

  bool with_actions() const { return with_actions_; }
  const std::vector<int>& arity() const { return arity_; }  // by relation of the graphs that it reads
  virtual std::unique_ptr<Workspace> workspace(size_t threads) const = 0;
  // The workspace is one of this network.
  void values(const Graph& graph, Workspace& work, std::vector<float>& values) const {
    embed(graph, work);
    read_out_.values(graph, work, values);
  }

 protected:
  virtual void embed(const Graph& graph, Workspace& work) const = 0;  // into work.embeddings

  size_t width_;
  bool with_actions_;

 private:
  std::vector<int> arity_;
  ReadOut read_out_;
};

}  // namespace liftq
