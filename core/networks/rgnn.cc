#include "networks/rgnn.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string>

namespace liftq {

namespace {

constexpr float kLowest = -1e30f;       // below every message; finite, so that differences stay numbers
constexpr size_t kWorthKeeping = 8;     // if less than one row in so many is spared, passes keep nothing for a while
constexpr size_t kMostTimesInVain = 6;  // after which 64 passes keep nothing
constexpr size_t kMostKept = 64 << 20;  // bytes
constexpr float kRounding = 0x1p-20f;   // eight units in the last place: a sum of floats is seldom more exact

bool is_close(const float* values, const float* others, size_t count) {  // what is not a number is never close
  bool is_close = true;
  for (size_t i = 0; i < count; ++i)
    is_close &= std::abs(values[i] - others[i]) <= kRounding * std::max(1.0f, std::abs(others[i]));
  return is_close;
}

}  // namespace

RGNN::RGNN(const Weights& weights, const std::vector<int>& arity, Options options, bool with_actions)
    : Network(weights, arity, options.width, with_actions),
      options_(options),
      row_(padded(options.width)),
      update_inner_(weights("update.inner.weight", {2 * width_, 2 * width_}), 2 * width_, 0,
                    weights("update.inner.bias", {2 * width_}), {1, 2 * width_}, {2, width_}),
      update_outer_(weights("update.outer.weight", {width_, 2 * width_}), 2 * width_, 0,
                    weights("update.outer.bias", {width_}), {1, width_}, {1, 2 * width_}) {
  std::map<size_t, size_t> counts, seen;  // by arity: relations in all, and so far
  for (int a : arity) ++counts[static_cast<size_t>(a)];
  widest_ = std::max(update_inner_.columns(), update_inner_.depth());
  for (int each : arity) {
    const size_t a = static_cast<size_t>(each), size = a * width_, count = counts[a], place = seen[a]++;
    const std::string name = "message." + std::to_string(a);
    const size_t hidden = options.hidden ? std::min(options.hidden, size) : size;
    const float* inner = weights(name + ".inner.weight", {count, hidden, size}) + place * hidden * size;
    const float* inner_bias = weights(name + ".inner.bias", {count, hidden}) + place * hidden;
    const float* outer = weights(name + ".outer.weight", {count, size, hidden}) + place * size * hidden;
    const float* outer_bias = weights(name + ".outer.bias", {count, size}) + place * size;
    Message message{{},
                    Linear(inner, size, 0, inner_bias, {1, hidden}, {a, width_}),
                    Linear(outer, hidden, 0, outer_bias, {a, width_}, {1, hidden})};
    for (size_t i = 0; i < a; ++i)
      message.inner.emplace_back(inner, size, i * width_, i ? nullptr : inner_bias, Axis{1, hidden}, Axis{1, width_});
    widest_ = std::max({widest_, message.outer.depth(), message.outer.columns()});
    messages_.push_back(std::move(message));
  }
}

std::unique_ptr<Workspace> RGNN::workspace(size_t threads) const {
  auto work = std::make_unique<Work>(threads);
  size_t most_arguments = 0;
  for (const Message& message : messages_) most_arguments = std::max(most_arguments, message.inner.size());
  for (Workspace::Tile& tile : work->tiles) {  // all that threads of the pool need, as they must not fail
    for (std::vector<float>* buffer : {&tile.inputs, &tile.hidden, &tile.outputs}) buffer->resize(kTile * widest_);
    tile.sources.reserve(kTile * most_arguments);
  }
  return work;
}

void RGNN::embed(const Graph& graph, Workspace& workspace) const {
  Work& work = static_cast<Work&>(workspace);
  const size_t nodes = graph.multiplicity.size();
  plan(graph, work);
  work.embeddings.assign(nodes * row_, 0.0f);
  work.running.resize((nodes + 1) * 2 * row_);
  work.is_changed.resize(nodes);
  if (keeps(graph, work)) return embed_changes(graph, work);
  take_all(nodes, work);
  work.before = work.embeddings.data();
  for (size_t layer = 0; layer < options_.layers; ++layer) {
    clear_running(work);
    send_all(graph, layer, work);
    update(work.embeddings.data(), false, work);
  }
}

// Computes again what may differ from the pass before, layer by layer, until that is nearly all.
void RGNN::embed_changes(const Graph& graph, Work& work) const {
  const size_t nodes = graph.multiplicity.size(), layers = options_.layers;
  const bool knows = work.changes.begin(graph, work.kinds);
  const size_t rows = work.changes.all_rows();
  work.kept.resize(layers);
  for (std::vector<float>& kept : work.kept) kept.resize(nodes * row_);
  work.before = work.embeddings.data();
  size_t spared = 0;
  bool pays = true;
  for (size_t layer = 0; layer < layers; ++layer) {
    pays = pays && 2 * work.changes.rows() < rows;
    if (pays) {
      work.nodes = work.changes.nodes();
      spared += rows - work.changes.rows();
    } else {
      take_all(nodes, work);
    }
    clear_running(work);
    if (pays)
      send_selected(graph, work);
    else
      send_all(graph, layer, work);
    update(work.kept[layer].data(), pays, work);
    if (pays) advance(work);
    work.before = work.kept[layer].data();
  }
  kernels().copy(work.before, work.embeddings.data(), nodes * row_);
  work.changes.finish();
  if (!knows) return;
  work.times_in_vain = kWorthKeeping * spared < rows * layers ? std::min(work.times_in_vain + 1, kMostTimesInVain) : 0;
  if (work.times_in_vain > 0) work.passes_to_skip = size_t{1} << work.times_in_vain;
}

bool RGNN::keeps(const Graph& graph, Work& work) const {
  if (graph.first_node.size() != 2) return false;  // successors of a state, valued together
  if (work.passes_to_skip > 0) return --work.passes_to_skip, false;
  size_t places = graph.multiplicity.size() * options_.layers * row_;
  for (const Graph::Rows& rows : graph.relations) places += 4 * rows.nodes.size();
  return places * sizeof(float) <= kMostKept;
}

void RGNN::take_all(size_t nodes, Work& work) {
  work.nodes.resize(nodes);
  std::iota(work.nodes.begin(), work.nodes.end(), 0);
}

void RGNN::advance(Work& work) {
  work.changed.clear();
  for (size_t i = 0; i < work.nodes.size(); ++i)
    if (work.is_changed[i]) work.changed.push_back(work.nodes[i]);
  work.changes.advance(work.changed);
}

void RGNN::clear_running(Work& work) const {
  poll(work.nodes.size());
  for (int node : work.nodes) {
    float* running = work.running.data() + static_cast<size_t>(node) * 2 * row_;
    std::fill_n(running, row_, kLowest);
    std::fill_n(running + row_, row_, 0.0f);
  }
}

void RGNN::update(float* after, bool keeps_close, Work& work) const {
  const size_t nodes = work.nodes.size();
  work.multiply_adds += nodes * (update_inner_.size() + update_outer_.size());
  work.pool.for_each(tiles_of(nodes), [&](size_t piece, size_t thread) {
    const size_t first = piece * kTile, count = std::min(kTile, nodes - first);
    Workspace::Tile& tile = work.tiles[thread];
    for (size_t i = 0; i < count; ++i) {
      const size_t node = static_cast<size_t>(work.nodes[first + i]);
      kernels().copy(work.before + node * row_, tile.inputs.data() + 2 * i * row_, row_);
      kernels().smooth_maximum(work.running.data() + node * 2 * row_, row_, options_.alpha,
                               tile.inputs.data() + (2 * i + 1) * row_);
    }
    update_inner_.apply(tile.inputs.data(), count, tile.hidden.data());
    kernels().mish(tile.hidden.data(), count * update_inner_.columns());
    update_outer_.apply(tile.hidden.data(), count, tile.outputs.data());
    if (options_.normalize) normalize(count, tile.outputs.data());
    for (size_t i = 0; i < count; ++i) {
      const size_t node = static_cast<size_t>(work.nodes[first + i]);
      float *updated = tile.outputs.data() + i * row_, *known = after + node * row_;
      kernels().add(work.before + node * row_, updated, row_);
      work.is_changed[first + i] = !keeps_close || !is_close(updated, known, row_);
      if (work.is_changed[first + i]) kernels().copy(updated, known, row_);
    }
  });
}

void RGNN::normalize(size_t rows, float* changes) const {
  const float width = static_cast<float>(width_);
  for (size_t row = 0; row < rows; ++row, changes += row_) {
    float mean = 0, variance = 0;
    for (size_t d = 0; d < width_; ++d) mean += changes[d] / width;
    for (size_t d = 0; d < width_; ++d) variance += (changes[d] - mean) * (changes[d] - mean) / width;
    const float scale = 1 / std::sqrt(variance + 1e-5f);  // as PyTorch's layer_norm
    for (size_t d = 0; d < width_; ++d) changes[d] = (changes[d] - mean) * scale;
  }
}

}  // namespace liftq
