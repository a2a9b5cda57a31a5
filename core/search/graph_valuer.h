// Values the candidates of a graph or, without actions, its choices: by a network in this thread, or together with the
// graphs of other plays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "basics/checks.h"
#include "networks/graph.h"
#include "networks/network.h"

namespace liftq {

class GraphValuer {
 public:
  virtual ~GraphValuer() = default;
  virtual bool with_actions() const = 0;
  virtual const std::vector<int>& arity() const = 0;  // by relation of the graphs
  virtual size_t nodes_together() const = 0;          // in graphs of many choices
  virtual void values(const Graph& graph, std::vector<float>& values) = 0;
  virtual uint64_t multiply_adds() const { return 0; }  // so far, where that is counted
};

class NetworkValuer : public GraphValuer {
 public:
  NetworkValuer(const Network& network, size_t threads) : network_(network) {
    require(threads > 0 && threads <= 256, "there are 1 to 256 threads");
    work_ = network.workspace(threads);
  }
  bool with_actions() const override { return network_.with_actions(); }
  const std::vector<int>& arity() const override { return network_.arity(); }
  size_t nodes_together() const override { return 4096; }
  void values(const Graph& graph, std::vector<float>& values) override { network_.values(graph, *work_, values); }
  uint64_t multiply_adds() const override { return work_->multiply_adds; }

 private:
  const Network& network_;
  std::unique_ptr<Workspace> work_;
};

}  // namespace liftq
