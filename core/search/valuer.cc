#include "search/valuer.h"

namespace liftq {

namespace {
constexpr size_t kNodesTogether = 4096;  // successors are valued together up to so many nodes
}

Valuer::Valuer(const Network& network, GraphBuilder builder, bool compress, size_t threads)
    : network_(network),
      builder_(std::move(builder)),
      compress_(compress),
      work_(network.workspace(threads)),
      graph_(builder_.arity().size()) {}

void Valuer::value(Engine& engine, StateId state, Orbits& orbits, std::vector<float>& values) {
  engine.orbits(state, compress_, orbits);
  if (!network_.with_actions()) return value_successors(engine, state, orbits, values);
  graph_.clear();
  append(engine, state, &orbits);
  network_.values(graph_, *work_, values);
}

void Valuer::value_successors(Engine& engine, StateId state, const Orbits& orbits, std::vector<float>& values) {
  values.clear();
  graph_.clear();
  for (size_t orbit = 0; orbit < orbits.count(); ++orbit) {
    append(engine, engine.successor(state, orbits.schema_of[orbit], orbits.arguments_of(orbit)), nullptr);
    if (graph_.multiplicity.size() < kNodesTogether && orbit + 1 < orbits.count()) continue;
    network_.values(graph_, *work_, state_values_);
    for (float value : state_values_) {
      const size_t candidate = values.size();
      const double cost = action_cost(engine.task(), orbits.schema_of[candidate], orbits.arguments_of(candidate));
      values.push_back(static_cast<float>(cost + static_cast<double>(value)));
    }
    graph_.clear();
  }
}

void Valuer::append(Engine& engine, StateId state, const Orbits* orbits) {
  builder_.append(engine, state, compress_ ? engine.twins(state) : engine.no_twins(), orbits, graph_);
  ++graphs_;
}

}  // namespace liftq
