// Values of the applicable actions of a state: Q(s, a) in one pass, or cost + V(s') by valuing every successor.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "networks/graph.h"
#include "planning/engine.h"
#include "search/graph_valuer.h"

namespace liftq {

class Valuer {
 public:
  // Throws std::invalid_argument unless task, graphs and network go together.
  Valuer(GraphValuer& network, Engine& engine, GraphBuilder builder, bool compress);

  // The candidates of a state, and the value of each.
  void value(StateId state, Orbits& orbits, std::vector<float>& values);
  Engine& engine() { return engine_; }
  const std::shared_ptr<Heuristics>& heuristics() const { return builder_.heuristics(); }  // if its graphs need any
  bool compress() const { return compress_; }
  size_t graphs() const { return graphs_; }  // built so far: one per state valued
  uint64_t multiply_adds() const { return network_.multiply_adds(); }

 private:
  void value_successors(StateId state, const Orbits& orbits, std::vector<float>& values);
  void append(StateId state, const Orbits* orbits);

  GraphValuer& network_;
  Engine& engine_;
  GraphBuilder builder_;
  bool compress_;
  Graph graph_;
  std::vector<float> state_values_;
  std::vector<uint8_t> is_dead_end_;  // by successor: it has no relaxed plan, so it is not for the network to value
  size_t graphs_ = 0;
};

}  // namespace liftq
