// States as a search reaches them: each node has a parent and the action that led from there.
#pragma once

#include <cstdint>
#include <vector>

#include "planning/state_store.h"
#include "search/plan.h"

namespace liftq {

class SearchTree {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  uint32_t add_root(StateId state) { return add(state, kNone, -1, nullptr, 0); }
  uint32_t add(StateId state, uint32_t parent, int schema, const int* arguments, int arity);

  uint32_t size() const { return static_cast<uint32_t>(nodes_.size()); }
  StateId state(uint32_t node) const { return nodes_[node].state; }
  uint32_t parent(uint32_t node) const { return nodes_[node].parent; }
  uint32_t depth(uint32_t node) const { return nodes_[node].depth; }
  int schema(uint32_t node) const { return nodes_[node].schema; }
  const int* arguments(uint32_t node) const { return arguments_.data() + nodes_[node].first_argument; }
  int arity(uint32_t node) const;

  std::vector<Step> plan(uint32_t node) const;  // from its root

 private:
  struct Node {
    uint64_t first_argument;  // into arguments_
    StateId state;
    uint32_t parent, depth;
    int schema;
  };
  std::vector<Node> nodes_;
  std::vector<int> arguments_;
};

}  // namespace liftq
