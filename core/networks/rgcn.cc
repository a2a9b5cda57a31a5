#include "networks/rgcn.h"

#include <algorithm>

namespace liftq {

namespace {

size_t tiles_of(size_t rows) { return (rows + kTile - 1) / kTile; }

}  // namespace

RGCN::RGCN(const Weights& weights, const std::vector<int>& arity, Options options, bool with_actions)
    : Network(weights, arity, options.width, with_actions),
      row_(padded(options.width)),
      builder_(arity, options.atoms_are_nodes),
      lift_bias_(row_, 0.0f) {
  const size_t features = std::max<size_t>(1, builder_.num_features()), labels = builder_.num_labels();
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

bool RGCN::embed(const Graph& graph, Workspace& workspace, Watch& watch) const {
  Work& work = static_cast<Work&>(workspace);
  builder_.build(graph, work.room, work.graph);
  lift(work);
  const size_t nodes = work.graph.num_nodes;
  work.totals.resize(nodes * row_);
  for (const Layer& layer : layers_) {
    if (watch.stopped()) return false;
    work.multiply_adds += nodes * layer.own.size();
    work.pool.for_each(tiles_of(nodes), [&](size_t piece, size_t) {
      const size_t first = piece * kTile, count = std::min(kTile, nodes - first);
      layer.own.apply(work.embeddings.data() + first * row_, count, work.totals.data() + first * row_);
    });
    for (size_t label = 0; label < layer.labels.size(); ++label)
      if (!work.graph.labels[label].nodes.empty()) pass_on(layer.labels[label], work.graph.labels[label], work);
    work.pool.for_each(tiles_of(nodes), [&](size_t piece, size_t) {
      const size_t first = piece * kTile, count = std::min(kTile, nodes - first);
      kernels().mish(work.totals.data() + first * row_, count * row_);
    });
    work.embeddings.swap(work.totals);
  }
  return true;
}

void RGCN::lift(Work& work) const {
  work.embeddings.resize(work.graph.num_nodes * row_);
  for (size_t node = 0; node < work.graph.num_nodes; ++node)
    std::copy_n(lift_bias_.data(), row_, work.embeddings.data() + node * row_);
  for (size_t i = 0; i < work.graph.feature.size(); ++i)
    kernels().add(features_.data() + static_cast<size_t>(work.graph.feature[i]) * row_,
                  work.embeddings.data() + static_cast<size_t>(work.graph.feature_node[i]) * row_, row_);
}

void RGCN::pass_on(const Linear& weight, const LabelGraph::Edges& edges, Work& work) const {
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
      const auto sent = [&](size_t edge) {
        return work.sent.data() + static_cast<size_t>(edges.neighbours[edge]) * row_;
      };
      std::copy_n(sent(edges.first[i]), row_, largest);
      for (size_t edge = edges.first[i] + 1; edge < edges.first[i + 1]; ++edge)
        kernels().take_maximum(sent(edge), largest, row_);
      kernels().add(largest, work.totals.data() + static_cast<size_t>(edges.nodes[i]) * row_, row_);
    }
  });
}

}  // namespace liftq
