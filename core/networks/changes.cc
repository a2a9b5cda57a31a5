#include "networks/changes.h"

#include <bit>

#include "basics/hash.h"
#include "basics/watch.h"

namespace liftq {

namespace {
constexpr uint64_t kFactor = 0x9e3779b97f4a7c15ULL;
}

bool Changes::Bits::set(size_t index) {
  uint64_t& word = words_[index / 64];
  const uint64_t bit = uint64_t{1} << (index % 64);
  const bool is_new = !(word & bit);
  word |= bit;
  return is_new;
}

template <class Visit>
void Changes::Bits::for_each(size_t begin, size_t end, Visit visit) const {
  for (size_t first = begin / 64 * 64; first < end; first += 64)
    for (uint64_t word = words_[first / 64]; word; word &= word - 1) {
      const size_t index = first + static_cast<size_t>(std::countr_zero(word));
      if (index >= begin && index < end) visit(index);
    }
}

bool Changes::begin(const Graph& graph, const std::vector<uint64_t>& kinds) {
  if (!is_finished_) signatures_.clear();
  const bool knows = is_finished_;
  is_finished_ = false;
  const size_t nodes = graph.multiplicity.size();
  new_signatures_.assign(nodes, 0);
  read(graph, kinds);
  touched_.clear();
  for (size_t node = 0; node < nodes; ++node)
    if (node >= signatures_.size() || signatures_[node] != new_signatures_[node])
      touched_.push_back(static_cast<int>(node));
  signatures_.swap(new_signatures_);
  rows_of_.group(nodes, [&](auto add) {
    for (uint32_t row = 0; row < all_rows(); ++row)
      for (uint32_t place = begin_[row]; place < begin_[row + 1]; ++place) add(static_cast<size_t>(flat_[place]), row);
  });
  advance({});
  return knows;
}

void Changes::read(const Graph& graph, const std::vector<uint64_t>& kinds) {
  flat_.clear();
  begin_.assign(1, 0);
  first_row_.assign(1, 0);
  for (size_t relation = 0; relation < kinds.size(); ++relation) {
    const Graph::Rows& rows = graph.relations[relation];
    const size_t count = static_cast<size_t>(rows.first.back());
    const size_t arity = count ? rows.nodes.size() / count : 1;
    const uint64_t kind = mix(mix(relation) + kinds[relation]);
    poll(rows.nodes.size());
    for (size_t row = 0; row < count; ++row) {
      uint64_t hash = kind;
      for (size_t i = row * arity; i < (row + 1) * arity; ++i)
        hash = mix(hash ^ (static_cast<uint64_t>(rows.nodes[i]) << 32 | std::bit_cast<uint32_t>(rows.counts[i])));
      for (size_t i = row * arity; i < (row + 1) * arity; ++i) {
        uint64_t& signature = new_signatures_[static_cast<size_t>(rows.nodes[i])];
        signature = signature * kFactor + mix(hash + i % arity);
      }
      begin_.push_back(static_cast<uint32_t>(flat_.size() + (row + 1) * arity));
    }
    flat_.insert(flat_.end(), rows.nodes.begin(), rows.nodes.end());
    first_row_.push_back(first_row_.back() + static_cast<uint32_t>(count));
  }
}

void Changes::advance(const std::vector<int>& changed) {
  const size_t nodes = signatures_.size();
  may_change_.reset(nodes);
  is_selected_.reset(all_rows());
  for (int node : touched_) may_change_.set(static_cast<size_t>(node));
  for (int node : changed) {
    may_change_.set(static_cast<size_t>(node));
    for (uint32_t row : rows_of_[static_cast<size_t>(node)])
      for (uint32_t place = begin_[row]; place < begin_[row + 1]; ++place)
        may_change_.set(static_cast<size_t>(flat_[place]));
  }
  nodes_.clear();
  rows_ = 0;
  may_change_.for_each(0, nodes, [&](size_t node) {
    nodes_.push_back(static_cast<int>(node));
    for (uint32_t row : rows_of_[node]) rows_ += is_selected_.set(row);
  });
  poll(rows_);
}

void Changes::select(const Graph& graph, size_t relation, int elsewhere, std::vector<int>& nodes,
                     std::vector<int>& targets, std::vector<float>& counts) const {
  const size_t first = first_row_[relation];
  const std::vector<float>& known = graph.relations[relation].counts;
  is_selected_.for_each(first, first_row_[relation + 1], [&](size_t row) {
    const float* count = known.data() + (begin_[row] - begin_[first]);
    for (size_t place = begin_[row]; place < begin_[row + 1]; ++place) {
      const int node = flat_[place];
      nodes.push_back(node);
      targets.push_back(may_change_[static_cast<size_t>(node)] ? node : elsewhere);
      counts.push_back(*count++);
    }
  });
}

}  // namespace liftq
