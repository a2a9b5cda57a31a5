#include "networks/rgcn.h"

#include <algorithm>

#include "basics/watch.h"

namespace liftq {

namespace {}  // namespace

RGCN::RGCN(const Weights& weights, const std::vector<int>& arity, Options options, bool with_actions)
    : Network(weights, arity, options.width, with_actions), row_(padded(options.width)), lift_bias_(row_, 0.0f) {
  for (size_t relation = 0; relation < arity.size(); ++relation)
    (arity[relation] == 1 ? unary_ : binary_).push_back(static_cast<int>(relation));
  const size_t features = std::max<size_t>(1, unary_.size()), labels = binary_.size();
  const size_t square = width_ * width_;
  const float* lift = weights("lift.weight", {width_, features});
  std::copy_n(weights("lift.bias", {width_}), width_, lift_bias_.begin());
  features_.assign(features * row_, 0.0f);
  for (size_t d = 0; d < width_; ++d)
    for (size_t feature = 0; feature < features; ++feature)
      features_[feature * row_ + d] = lift[d * features + feature];
  const float* own = weights("self.weight", {options.layers, width_, width_});
  const float* bias = weights("self.bias", {options.layers, width_});
  const float* label_weights = weights("label.weight", {options.layers, labels, width_, width_});
  const Axis axis{1, width_};
  for (size_t layer = 0; layer < options.layers; ++layer) {
    layers_.push_back({Linear(own + layer * square, width_, 0, bias + layer * width_, axis, axis), {}});
    for (size_t label = 0; label < labels; ++label)
      layers_.back().labels.emplace_back(label_weights + (layer * labels + label) * square, width_, 0, nullptr, axis,
                                         axis);
  }
}

std::unique_ptr<Workspace> RGCN::workspace(size_t threads) const {
  auto work = std::make_unique<Work>(threads);
  for (Workspace::Tile& tile : work->tiles) tile.inputs.resize(kTile * row_);
  return work;
}

void RGCN::embed(const Graph& graph, Workspace& workspace) const {
  Work& work = static_cast<Work&>(workspace);
  const size_t nodes = graph.multiplicity.size();
  lift(graph, work);
  work.labels.resize(binary_.size());
  work.place.assign(nodes, -1);
  for (size_t label = 0; label < binary_.size(); ++label)
    sort_edges(graph.relations[binary_[label]].nodes, work.place, work.labels[label]);
  work.totals.resize(nodes * row_);
  for (const Layer& layer : layers_) {
    work.multiply_adds += nodes * layer.own.size();
    work.pool.for_each(tiles_of(nodes), [&](size_t piece, size_t) {
      const size_t first = piece * kTile, count = std::min(kTile, nodes - first);
      layer.own.apply(work.embeddings.data() + first * row_, count, work.totals.data() + first * row_);
    });
    for (size_t label = 0; label < layer.labels.size(); ++label)
      if (!work.labels[label].nodes.empty()) pass_on(layer.labels[label], work.labels[label], work);
    work.pool.for_each(tiles_of(nodes), [&](size_t piece, size_t) {
      const size_t first = piece * kTile, count = std::min(kTile, nodes - first);
      kernels().mish(work.totals.data() + first * row_, count * row_);
    });
    work.embeddings.swap(work.totals);
  }
}

// A relation is said of a node once, though the goal may name it twice.
void RGCN::lift(const Graph& graph, Work& work) const {
  const size_t nodes = graph.multiplicity.size();
  work.embeddings.resize(nodes * row_);
  for (size_t node = 0; node < nodes; ++node)
    std::copy_n(lift_bias_.data(), row_, work.embeddings.data() + node * row_);
  work.feature.assign(nodes, -1);
  for (size_t feature = 0; feature < unary_.size(); ++feature) {
    poll(graph.relations[unary_[feature]].nodes.size());
    for (int node : graph.relations[unary_[feature]].nodes) {
      if (work.feature[node] == static_cast<int>(feature)) continue;
      work.feature[node] = static_cast<int>(feature);
      kernels().add(features_.data() + feature * row_, work.embeddings.data() + static_cast<size_t>(node) * row_, row_);
    }
  }
}

// `place` is -1 everywhere, before and after.
void RGCN::sort_edges(const std::vector<int>& pairs, std::vector<int>& place, Edges& edges) {
  edges.nodes.clear();
  poll(pairs.size());
  for (int node : pairs) {
    if (place[node] >= 0) continue;
    place[node] = static_cast<int>(edges.nodes.size());
    edges.nodes.push_back(node);
  }
  edges.neighbours.group(edges.nodes.size(), [&](auto add) {
    for (size_t i = 0; i < pairs.size(); i += 2) add(place[pairs[i + 1]], place[pairs[i]]);
  });
  for (int node : edges.nodes) place[node] = -1;
}

void RGCN::pass_on(const Linear& weight, const Edges& edges, Work& work) const {
  const size_t count = edges.nodes.size();
  work.multiply_adds += count * weight.size();
  work.sent.resize(std::max(work.sent.size(), count * row_));
  work.pool.for_each(tiles_of(count), [&](size_t piece, size_t thread) {
    const size_t first = piece * kTile, rows = std::min(kTile, count - first);
    float* inputs = work.tiles[thread].inputs.data();
    for (size_t i = 0; i < rows; ++i)
      std::copy_n(work.embeddings.data() + static_cast<size_t>(edges.nodes[first + i]) * row_, row_, inputs + i * row_);
    weight.apply(inputs, rows, work.sent.data() + first * row_);
  });
  work.pool.for_each(tiles_of(count), [&](size_t piece, size_t thread) {
    float* largest = work.tiles[thread].inputs.data();
    for (size_t i = piece * kTile; i < std::min(count, (piece + 1) * kTile); ++i) {
      const auto sent = [&](int neighbour) { return work.sent.data() + static_cast<size_t>(neighbour) * row_; };
      const auto neighbours = edges.neighbours[i];
      if (neighbours.empty()) continue;
      std::copy_n(sent(neighbours.front()), row_, largest);
      for (int neighbour : neighbours.subspan(1)) kernels().take_maximum(sent(neighbour), largest, row_);
      kernels().add(largest, work.totals.data() + static_cast<size_t>(edges.nodes[i]) * row_, row_);
    }
  });
}

}  // namespace liftq
