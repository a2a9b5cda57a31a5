// Messages of the relational graph neural network: which parts of them are computed once per node, and sending them.
#include <algorithm>
#include <thread>

#include "networks/rgnn.h"

namespace liftq {

namespace {
constexpr double kWorthProjecting = 0.75;  // of rows: above, a pass over the rows is as cheap as one over the nodes
}

void RGNN::plan(const Graph& graph, Work& work) const {
  work.plan.clear();
  work.kinds.assign(messages_.size(), 0);
  work.source_mark.assign(graph.multiplicity.size(), -1);
  for (size_t relation = 0; relation < messages_.size(); ++relation) {
    const size_t arity = messages_[relation].inner.size(), count = graph.relations[relation].nodes.size() / arity;
    if (count == 0) continue;
    const int* nodes = graph.relations[relation].nodes.data();
    for (size_t position = 0; position < arity; ++position) {
      Argument argument = find_sources(nodes + position, count, arity, work.plan, work.source_mark);
      argument.projected = static_cast<double>(argument.sources) < kWorthProjecting * static_cast<double>(count);
      if (!argument.projected) {
        work.plan.sources.resize(argument.first_source);
        work.plan.source_of.resize(argument.first_row);
      }
      work.plan.arguments.push_back(argument);
      work.kinds[relation] = work.kinds[relation] << 1 | argument.projected;
    }
  }
}

RGNN::Argument RGNN::find_sources(const int* nodes, size_t count, size_t stride, Plan& plan,
                                  std::vector<int>& source_mark) {
  Argument argument{true, plan.sources.size(), 0, plan.source_of.size()};
  for (size_t row = 0; row < count; ++row) {
    poll();
    const int node = nodes[row * stride];
    int& mark = source_mark[static_cast<size_t>(node)];
    if (mark < 0) {
      mark = static_cast<int>(argument.sources++);
      plan.sources.push_back(node);
    }
    plan.source_of.push_back(mark);
  }
  for (size_t i = argument.first_source; i < plan.sources.size(); ++i)
    source_mark[static_cast<size_t>(plan.sources[i])] = -1;
  return argument;
}

void RGNN::send_all(const Graph& graph, size_t layer, Work& work) const {
  Argument* arguments = work.plan.arguments.data();
  for (size_t relation = 0; relation < messages_.size(); ++relation) {
    const Graph::Rows& known = graph.relations[relation];
    const size_t arity = messages_[relation].inner.size();
    if (known.nodes.empty()) continue;
    const Rows rows{known.nodes.data(), known.nodes.data(), known.counts.data(), known.nodes.size() / arity};
    if (layer == 0)
      send_alike(rows, messages_[relation], work);
    else
      send(rows, messages_[relation], arguments, work.plan, work);
    arguments += arity;
  }
}

// To the nodes that may change. A message is computed as it would be if all were.
void RGNN::send_selected(const Graph& graph, Work& work) const {
  Selection& selection = work.selection;
  const int elsewhere = static_cast<int>(graph.multiplicity.size());
  const Argument* arguments = work.plan.arguments.data();
  for (size_t relation = 0; relation < messages_.size(); ++relation) {
    const size_t arity = messages_[relation].inner.size();
    if (graph.relations[relation].nodes.empty()) continue;
    selection.clear();
    work.changes.select(graph, relation, elsewhere, selection.nodes, selection.targets, selection.counts);
    const Rows rows{selection.nodes.data(), selection.targets.data(), selection.counts.data(),
                    selection.nodes.size() / arity};
    for (size_t position = 0; position < arity && rows.count > 0; ++position)
      selection.plan.arguments.push_back(
          arguments[position].projected
              ? find_sources(rows.nodes + position, rows.count, arity, selection.plan, work.source_mark)
              : Argument{false});
    if (rows.count > 0) send(rows, messages_[relation], selection.plan.arguments.data(), selection.plan, work);
    arguments += arity;
  }
}

// Parts of the hidden layer that are computed once per node.
void RGNN::project(const Message& message, Argument* arguments, const Plan& plan, Work& work) const {
  const size_t columns = message.outer.depth();
  size_t next = 0;
  for (size_t position = 0; position < message.inner.size(); ++position) {
    arguments[position].first_projected = next;
    if (arguments[position].projected) next += arguments[position].sources;
  }
  work.projected.resize(std::max(work.projected.size(), next * columns));
  for (size_t position = 0; position < message.inner.size(); ++position) {
    const Argument& argument = arguments[position];
    if (!argument.projected) continue;
    const int* sources = plan.sources.data() + argument.first_source;
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
void RGNN::send_alike(const Rows& rows, const Message& message, Work& work) const {
  const size_t arity = message.inner.size();
  Workspace::Tile& tile = work.tiles.front();
  float* outputs = tile.outputs.data();
  std::fill_n(tile.inputs.data(), arity * row_, 0.0f);
  message.all_inner.apply(tile.inputs.data(), 1, tile.hidden.data());
  kernels().mish(tile.hidden.data(), message.outer.depth());
  message.outer.apply(tile.hidden.data(), 1, outputs);
  for (size_t row = 1; row < std::min(kTile, rows.count); ++row)
    kernels().copy(outputs, outputs + row * arity * row_, arity * row_);
  for (size_t first = 0; first < rows.count; first += kTile)
    kernels().receive(outputs, rows.targets + first * arity, rows.counts + first * arity,
                      std::min(kTile, rows.count - first) * arity, row_, options_.alpha, work.running.data());
}

// Messages are received in the order of rows whatever the number of threads, so that sums are the same to the last bit.
void RGNN::send(const Rows& rows, const Message& message, Argument* arguments, const Plan& plan, Work& work) const {
  const size_t arity = message.inner.size();
  project(message, arguments, plan, work);
  work.multiply_adds += rows.count * message.outer.size();
  for (size_t position = 0; position < arity; ++position)
    work.multiply_adds +=
        (arguments[position].projected ? arguments[position].sources : rows.count) * message.inner[position].size();
  work.turn = 0;
  work.pool.for_each(tiles_of(rows.count), [&](size_t piece, size_t thread) {
    Workspace::Tile& tile = work.tiles[thread];
    const size_t first = piece * kTile, in_tile = std::min(kTile, rows.count - first);
    fill_hidden(rows, message, arguments, plan, first, in_tile, work, tile);
    message.outer.apply(tile.hidden.data(), in_tile, tile.outputs.data());
    while (work.turn.load(std::memory_order_acquire) != piece) std::this_thread::yield();
    kernels().receive(tile.outputs.data(), rows.targets + first * arity, rows.counts + first * arity, in_tile * arity,
                      row_, options_.alpha, work.running.data());
    work.turn.store(piece + 1, std::memory_order_release);
  });
}

void RGNN::fill_hidden(const Rows& rows, const Message& message, const Argument* arguments, const Plan& plan,
                       size_t first, size_t count, const Work& work, Workspace::Tile& tile) const {
  const size_t arity = message.inner.size(), columns = message.outer.depth();
  const int* nodes = rows.nodes + first * arity;
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
        const int place = plan.source_of[argument->first_row + first + row];
        tile.sources.push_back(work.projected.data() +
                               (argument->first_projected + static_cast<size_t>(place)) * columns);
      }
  kernels().mish_of_sum(tile.sources.data(), projections, begun, count, tile.hidden.data(), columns);
}

// The embeddings of every `stride`-th node.
void RGNN::gather(const int* nodes, size_t count, size_t stride, const Work& work, float* target) const {
  for (size_t i = 0; i < count; ++i)
    kernels().copy(work.before + static_cast<size_t>(nodes[i * stride]) * row_, target + i * row_, row_);
}

}  // namespace liftq
