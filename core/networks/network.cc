#include "networks/network.h"

#include <algorithm>
#include <stdexcept>

#include "basics/watch.h"

namespace liftq {

const float* Weights::operator()(const std::string& name, const std::vector<size_t>& shape) const {
  const auto found = weights_.find(name);
  if (found == weights_.end()) throw std::invalid_argument("there is no weight " + name);
  if (found->second.shape != shape) throw std::invalid_argument("the weight " + name + " has another shape");
  return found->second.data;
}

namespace {
size_t inner_size(size_t width, bool with_actions) { return with_actions ? 2 * width : width; }
}  // namespace

ReadOut::ReadOut(const Weights& weights, size_t width, bool with_actions)
    : width_(padded(width)),
      with_actions_(with_actions),
      state_(weights("readout.inner.weight", {inner_size(width, with_actions), inner_size(width, with_actions)}),
             inner_size(width, with_actions), with_actions ? width : 0,
             weights("readout.inner.bias", {inner_size(width, with_actions)}), {1, inner_size(width, with_actions)},
             {1, width}),
      outer_(weights("readout.outer.weight", {1, inner_size(width, with_actions)}), inner_size(width, with_actions), 0,
             weights("readout.outer.bias", {1}), {1, 1}, {1, inner_size(width, with_actions)}) {
  const size_t inner = inner_size(width, with_actions);
  if (with_actions)
    action_.emplace_back(weights("readout.inner.weight", {inner, inner}), inner, 0, nullptr, Axis{1, inner},
                         Axis{1, width});
}

void ReadOut::values(const Graph& graph, Workspace& work, std::vector<float>& values) const {
  const size_t choices = graph.first_node.size() - 1;
  values.resize(with_actions_ ? graph.candidate_node.size() : choices);
  Workspace::Tile& tile = work.tiles[0];
  std::vector<float>&inputs = tile.inputs, &hidden = tile.hidden, &outputs = tile.outputs;
  inputs.resize(std::max(inputs.size(), kTile * width_));
  hidden.resize(std::max(hidden.size(), (kTile + 1) * state_.columns()));
  outputs.resize(std::max(outputs.size(), kTile * outer_.columns()));
  float* state = hidden.data() + kTile * state_.columns();
  for (size_t choice = 0; choice < choices; ++choice) {
    poll(kTile);
    sum_objects(graph, choice, work.embeddings, inputs.data());
    state_.apply(inputs.data(), 1, state);
    if (!with_actions_) {
      kernels().mish(state, state_.columns());
      outer_.apply(state, 1, outputs.data());
      values[choice] = outputs[0];
      continue;
    }
    const size_t last = static_cast<size_t>(graph.first_candidate[choice + 1]);
    for (size_t first = static_cast<size_t>(graph.first_candidate[choice]); first < last; first += kTile) {
      poll(kTile);
      const size_t rows = std::min(kTile, last - first);
      for (size_t row = 0; row < rows; ++row) {
        const size_t node = static_cast<size_t>(graph.candidate_node[first + row]);
        std::copy_n(work.embeddings.data() + node * width_, width_, inputs.data() + row * width_);
      }
      action_[0].apply_from(state, inputs.data(), rows, hidden.data());
      kernels().mish(hidden.data(), rows * state_.columns());
      outer_.apply(hidden.data(), rows, outputs.data());
      for (size_t row = 0; row < rows; ++row) values[first + row] = outputs[row * outer_.columns()];
    }
  }
}

void ReadOut::sum_objects(const Graph& graph, size_t choice, const std::vector<float>& embeddings, float* sum) const {
  std::fill_n(sum, width_, 0.0f);
  const size_t last = static_cast<size_t>(graph.first_node[choice + 1]);
  for (size_t node = static_cast<size_t>(graph.first_node[choice]); node < last; ++node) {
    const float times = graph.multiplicity[node];
    if (times == 0) continue;
    for (size_t d = 0; d < width_; ++d) sum[d] += times * embeddings[node * width_ + d];
  }
}

}  // namespace liftq
