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
      graph_(builder_.encoding().arity.size()) {}

bool Valuer::value(Engine& engine, StateId state, Watch& watch, Orbits& orbits, std::vector<float>& values) {
  engine.orbits(state, compress_, orbits);
  if (!network_.with_actions()) return value_successors(engine, state, watch, orbits, values);
  clear();
  append(engine, state, &orbits);
  return network_.values(graph_, *work_, watch, values);
}

bool Valuer::value_successors(Engine& engine, StateId state, Watch& watch, const Orbits& orbits,
                              std::vector<float>& values) {
  values.clear();
  clear();
  for (size_t orbit = 0; orbit < orbits.count(); ++orbit) {
    append(engine, engine.successor(state, orbits.schema_of[orbit], orbits.arguments_of(orbit)), nullptr);
    if (graph_.multiplicity.size() < kNodesTogether && orbit + 1 < orbits.count()) continue;
    if (!network_.values(graph_, *work_, watch, state_values_)) return false;
    for (float value : state_values_) {
      const size_t candidate = values.size();
      const double cost = action_cost(engine.task(), orbits.schema_of[candidate], orbits.arguments_of(candidate));
      values.push_back(static_cast<float>(cost + static_cast<double>(value)));
    }
    clear();
  }
  return true;
}

void Valuer::append(Engine& engine, StateId state, const Orbits* orbits) {
  builder_.append(engine, state, compress_ ? engine.twins(state) : engine.no_twins(), orbits, graph_);
  ++graphs_;
}

void Valuer::clear() {
  for (Graph::Rows& rows : graph_.relations) {
    rows.nodes.clear();
    rows.counts.clear();
    rows.first.assign(1, 0);
  }
  graph_.multiplicity.clear();
  graph_.candidate_node.clear();
  graph_.first_node.assign(1, 0);
  graph_.first_candidate.assign(1, 0);
}

}  // namespace liftq
