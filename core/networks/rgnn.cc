#include "networks/rgnn.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <thread>

namespace liftq {

namespace {

constexpr float kLowest = -1e30f;          // below every message; finite, so that differences stay numbers
constexpr double kWorthProjecting = 0.75;  // of rows: above, a pass over the rows is as cheap as one over the nodes

size_t tiles_of(size_t rows) { return (rows + kTile - 1) / kTile; }

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
  work.running.resize(nodes * 2 * row_);
  for (size_t layer = 0; layer < options_.layers; ++layer) {
    poll(nodes);
    for (size_t node = 0; node < nodes; ++node) {
      std::fill_n(work.running.data() + node * 2 * row_, row_, kLowest);
      std::fill_n(work.running.data() + (node * 2 + 1) * row_, row_, 0.0f);
    }
    const Argument* arguments = work.arguments.data();
    for (size_t relation = 0; relation < messages_.size(); ++relation) {
      const Graph::Rows& rows = graph.relations[relation];
      if (rows.nodes.empty()) continue;
      if (layer == 0) {
        send_alike(rows, messages_[relation], work);
      } else {
        project(relation, arguments, work);
        send(rows, relation, arguments, work);
      }
      arguments += messages_[relation].inner.size();
    }
    update(nodes, work);
  }
}

void RGNN::plan(const Graph& graph, Work& work) const {
  work.arguments.clear();
  work.sources.clear();
  work.source_of.clear();
  work.source_mark.assign(graph.multiplicity.size(), -1);
  size_t most = 0;
  const uint64_t updates = graph.multiplicity.size() * (update_inner_.size() + update_outer_.size());
  uint64_t products = 0;  // of the messages of a layer
  for (size_t relation = 0; relation < messages_.size(); ++relation) {
    const Graph::Rows& rows = graph.relations[relation];
    if (rows.nodes.empty()) continue;
    size_t next_projected = 0;
    const size_t arity = messages_[relation].inner.size();
    for (size_t position = 0; position < arity; ++position)
      products +=
          plan_argument(rows, arity, position, next_projected, work) * messages_[relation].inner[position].size();
    products += rows.nodes.size() / arity * messages_[relation].outer.size();
    most = std::max(most, next_projected * messages_[relation].outer.depth());
  }
  work.projected.resize(std::max(work.projected.size(), most));
  work.multiply_adds += updates * options_.layers + products * (options_.layers - 1);
}

// Returns how many rows go through the argument's linear map.
size_t RGNN::plan_argument(const Graph::Rows& rows, size_t arity, size_t position, size_t& next_projected,
                           Work& work) const {
  Argument argument{false, work.sources.size(), 0, work.source_of.size(), next_projected};
  const size_t count = rows.nodes.size() / arity;
  for (size_t row = 0; row < count; ++row) {
    poll();
    const int node = rows.nodes[row * arity + position];
    int& mark = work.source_mark[static_cast<size_t>(node)];
    if (mark < 0) {
      mark = static_cast<int>(argument.sources++);
      work.sources.push_back(node);
    }
    work.source_of.push_back(mark);
  }
  for (size_t i = argument.first_source; i < work.sources.size(); ++i)
    work.source_mark[static_cast<size_t>(work.sources[i])] = -1;
  argument.projected = static_cast<double>(argument.sources) < kWorthProjecting * static_cast<double>(count);
  if (argument.projected)
    next_projected += argument.sources;
  else {
    work.sources.resize(argument.first_source);
    work.source_of.resize(argument.first_row);
  }
  work.arguments.push_back(argument);
  return argument.projected ? argument.sources : count;
}

void RGNN::project(size_t relation, const Argument* arguments, Work& work) const {
  const Message& message = messages_[relation];
  const size_t columns = message.outer.depth();
  for (size_t position = 0; position < message.inner.size(); ++position) {
    const Argument& argument = arguments[position];
    if (!argument.projected) continue;
    const int* sources = work.sources.data() + argument.first_source;
    float* target = work.projected.data() + argument.first_projected * columns;
    work.pool.for_each(tiles_of(argument.sources), [&](size_t piece, size_t thread) {
      const size_t first = piece * kTile, count = std::min(kTile, argument.sources - first);
      float* inputs = work.tiles[thread].inputs.data();
      gather(sources + first, count, 1, work, inputs);
      message.inner[position].apply(inputs, count, target + first * columns);
    });
  }
}

// In the first layer all embeddings are zero, so that every row of a relation sends the same message.
void RGNN::send_alike(const Graph::Rows& rows, const Message& message, Work& work) const {
  const size_t arity = message.inner.size(), count = rows.nodes.size() / arity;
  Workspace::Tile& tile = work.tiles.front();
  float* outputs = tile.outputs.data();
  std::fill_n(tile.inputs.data(), arity * row_, 0.0f);
  message.all_inner.apply(tile.inputs.data(), 1, tile.hidden.data());
  kernels().mish(tile.hidden.data(), message.outer.depth());
  message.outer.apply(tile.hidden.data(), 1, outputs);
  for (size_t row = 1; row < std::min(kTile, count); ++row)
    kernels().copy(outputs, outputs + row * arity * row_, arity * row_);
  for (size_t first = 0; first < count; first += kTile)
    kernels().receive(outputs, rows.nodes.data() + first * arity, rows.counts.data() + first * arity,
                      std::min(kTile, count - first) * arity, row_, options_.alpha, work.running.data());
}

// Messages are received in the order of rows whatever the number of threads, so that sums are the same to the last bit.
void RGNN::send(const Graph::Rows& rows, size_t relation, const Argument* arguments, Work& work) const {
  const Message& message = messages_[relation];
  const size_t arity = message.inner.size(), count = rows.nodes.size() / arity;
  work.turn = 0;
  work.pool.for_each(tiles_of(count), [&](size_t piece, size_t thread) {
    Workspace::Tile& tile = work.tiles[thread];
    const size_t first = piece * kTile, in_tile = std::min(kTile, count - first);
    fill_hidden(rows, message, arguments, first, in_tile, work, tile);
    message.outer.apply(tile.hidden.data(), in_tile, tile.outputs.data());
    while (work.turn.load(std::memory_order_acquire) != piece) std::this_thread::yield();
    kernels().receive(tile.outputs.data(), rows.nodes.data() + first * arity, rows.counts.data() + first * arity,
                      in_tile * arity, row_, options_.alpha, work.running.data());
    work.turn.store(piece + 1, std::memory_order_release);
  });
}

void RGNN::fill_hidden(const Graph::Rows& rows, const Message& message, const Argument* arguments, size_t first,
                       size_t count, const Work& work, Workspace::Tile& tile) const {
  const size_t arity = message.inner.size(), columns = message.outer.depth();
  const int* nodes = rows.nodes.data() + first * arity;
  size_t projections = 0;
  for (size_t position = 0; position < arity; ++position) projections += arguments[position].projected;
  if (projections == 0) {
    gather(nodes, count * arity, 1, work, tile.inputs.data());
    message.all_inner.apply(tile.inputs.data(), count, tile.hidden.data());
    kernels().mish(tile.hidden.data(), count * columns);
    return;
  }
  bool begun = false;
  for (size_t position = 0; position < arity; ++position) {
    if (arguments[position].projected) continue;
    gather(nodes + position, count, arity, work, tile.inputs.data());
    if (begun)
      message.inner[position].add(tile.inputs.data(), count, tile.hidden.data());
    else
      message.inner[position].apply(tile.inputs.data(), count, tile.hidden.data());
    begun = true;
  }
  tile.sources.clear();
  for (size_t row = 0; row < count; ++row)
    for (const Argument* argument = arguments; argument != arguments + arity; ++argument)
      if (argument->projected) {
        const int place = work.source_of[argument->first_row + first + row];
        tile.sources.push_back(work.projected.data() +
                               (argument->first_projected + static_cast<size_t>(place)) * columns);
      }
  kernels().mish_of_sum(tile.sources.data(), projections, begun, count, tile.hidden.data(), columns);
}

// The embeddings of every `stride`-th node.
void RGNN::gather(const int* nodes, size_t count, size_t stride, const Work& work, float* target) const {
  for (size_t i = 0; i < count; ++i)
    kernels().copy(work.embeddings.data() + static_cast<size_t>(nodes[i * stride]) * row_, target + i * row_, row_);
}

void RGNN::update(size_t nodes, Work& work) const {
  work.pool.for_each(tiles_of(nodes), [&](size_t piece, size_t thread) {
    const size_t first = piece * kTile, count = std::min(kTile, nodes - first);
    Workspace::Tile& tile = work.tiles[thread];
    float* own = work.embeddings.data() + first * row_;
    for (size_t i = 0; i < count; ++i) {
      kernels().copy(own + i * row_, tile.inputs.data() + 2 * i * row_, row_);
      kernels().smooth_maximum(work.running.data() + (first + i) * 2 * row_, row_, options_.alpha,
                               tile.inputs.data() + (2 * i + 1) * row_);
    }
    update_inner_.apply(tile.inputs.data(), count, tile.hidden.data());
    kernels().mish(tile.hidden.data(), count * update_inner_.columns());
    if (options_.normalize) {
      update_outer_.apply(tile.hidden.data(), count, tile.outputs.data());
      add_normalized(tile.outputs.data(), count, own);
    } else {
      update_outer_.add(tile.hidden.data(), count, own);
    }
  });
}

void RGNN::add_normalized(const float* changes, size_t rows, float* embeddings) const {
  const float width = static_cast<float>(width_);
  for (size_t row = 0; row < rows; ++row, changes += row_, embeddings += row_) {
    float mean = 0, variance = 0;
    for (size_t d = 0; d < width_; ++d) mean += changes[d] / width;
    for (size_t d = 0; d < width_; ++d) variance += (changes[d] - mean) * (changes[d] - mean) / width;
    const float scale = 1 / std::sqrt(variance + 1e-5f);  // as PyTorch's layer_norm
    for (size_t d = 0; d < width_; ++d) embeddings[d] += (changes[d] - mean) * scale;
  }
}

}  // namespace liftq
