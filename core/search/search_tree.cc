#include "search/search_tree.h"

#include <algorithm>
#include <new>

namespace liftq {

uint32_t SearchTree::add(StateId state, uint32_t parent, int schema, const int* arguments, int arity) {
  if (nodes_.size() >= kNone) throw std::bad_alloc();
  const uint32_t depth = parent == kNone ? 0 : nodes_[parent].depth + 1;
  nodes_.push_back({arguments_.size(), state, parent, depth, schema});
  arguments_.insert(arguments_.end(), arguments, arguments + arity);
  return size() - 1;
}

int SearchTree::arity(uint32_t node) const {
  const uint64_t end = node + 1 < nodes_.size() ? nodes_[node + 1].first_argument : arguments_.size();
  return static_cast<int>(end - nodes_[node].first_argument);
}

std::vector<Step> SearchTree::plan(uint32_t node) const {
  std::vector<Step> steps;
  for (; parent(node) != kNone; node = parent(node))
    steps.push_back({schema(node), std::vector<int>(arguments(node), arguments(node) + arity(node))});
  std::reverse(steps.begin(), steps.end());
  return steps;
}

}  // namespace liftq
