#include "search/valuer.h"

#include <limits>

#include "basics/checks.h"

namespace liftq {

namespace {
constexpr float kInfinite = std::numeric_limits<float>::infinity();
}  // namespace

Valuer::Valuer(GraphValuer& network, Engine& engine, GraphBuilder builder, bool compress)
    : network_(network),
      engine_(engine),
      builder_(std::move(builder)),
      compress_(compress),
      graph_(builder_.arity().size()) {
  const Encoding& encoding = builder_.encoding();
  check_encoding(encoding, engine.task());
  require(builder_.arity() == network.arity(), "the graphs have other relations than the network");
  if (network.with_actions())
    for (int relation : encoding.action) require(relation >= 0, "the network values actions; the graphs have none");
}

void Valuer::value(StateId state, Orbits& orbits, std::vector<float>& values) {
  engine_.orbits(state, compress_, orbits);
  if (!network_.with_actions()) return value_successors(state, orbits, values);
  graph_.clear();
  append(state, &orbits);
  network_.values(graph_, values);
}

void Valuer::value_successors(StateId state, const Orbits& orbits, std::vector<float>& values) {
  values.clear();
  graph_.clear();
  is_dead_end_.clear();
  for (size_t orbit = 0; orbit < orbits.count(); ++orbit) {
    append(engine_.successor(state, orbits.schema_of[orbit], orbits.arguments_of(orbit)), nullptr);
    is_dead_end_.push_back(builder_.is_dead_end());
    if (graph_.multiplicity.size() < network_.nodes_together() && orbit + 1 < orbits.count()) continue;
    network_.values(graph_, state_values_);
    for (float value : state_values_) {
      const size_t candidate = values.size();
      const double cost = action_cost(engine_.task(), orbits.schema_of[candidate], orbits.arguments_of(candidate));
      const bool is_dead_end = is_dead_end_[candidate] != 0;
      values.push_back(is_dead_end ? kInfinite : static_cast<float>(cost + static_cast<double>(value)));
    }
    graph_.clear();
  }
}

void Valuer::append(StateId state, const Orbits* orbits) {
  builder_.append(engine_, state, compress_ ? engine_.twins(state) : engine_.no_twins(), orbits, graph_);
  ++graphs_;
}

}  // namespace liftq
