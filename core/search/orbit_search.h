// A* with LM-cut (Hart, Nilsson & Raphael, 1968; Helmert & Domshlak, ICAPS 2009) on states up to the exchange of
// objects that are alike: of states with the same key only the one that was reached at the lowest cost is kept, and of
// actions only one of each orbit. Every plan it finds is a cheapest one.
//
// A state is valued when its turn comes; until then it waits with the bound that its parent has left it. So most
// states beside the way to the goal are never valued.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "heuristics/heuristics.h"
#include "planning/engine.h"
#include "search/canonical.h"
#include "search/ending.h"
#include "search/search_tree.h"

namespace liftq {

class OrbitSearch {
 public:
  // For plans that cost less than `most`; after so many states are expanded, the search ends by `step_limit`.
  explicit OrbitSearch(Heuristics& heuristics, double most = std::numeric_limits<double>::infinity(),
                       size_t expansions = SIZE_MAX)
      : engine_(heuristics.engine()),
        heuristics_(heuristics),
        canonical_(engine_),
        most_(most),
        expansions_left_(expansions) {}

  Ending run() { return run(engine_.initial_state()); }
  Ending run(StateId from);                                     // throws Stopped or std::bad_alloc at a limit
  std::vector<Step> plan() const { return tree_.plan(goal_); }  // after `solved`

 private:
  static constexpr uint32_t kNone = SearchTree::kNone;
  struct Node {
    double cost;   // from where the search began
    double bound;  // on the cost to the goal
    StateId key;
    bool valued;
  };
  struct Entry {
    double sum, bound;  // bound on the cost of a plan, and on the part of it that is left
    uint32_t node;
    bool operator<(const Entry& other) const {  // the last in a queue is the first to be taken
      if (sum != other.sum) return sum > other.sum;
      return bound != other.bound ? bound > other.bound : node < other.node;
    }
  };

  bool value(uint32_t node);  // false if it is to wait for its turn, or for ever
  void expand(uint32_t node);
  void reach(StateId state, double cost, uint32_t parent, double bound, int schema, const int* arguments, int arity);
  void enqueue(uint32_t node);

  Engine& engine_;
  Heuristics& heuristics_;
  const HeuristicKind& lm_cut_ = Registry<HeuristicKind>::find("lm_cut");
  Canonical canonical_;
  double most_;
  size_t expansions_left_;
  SearchTree tree_;
  std::vector<Node> nodes_;     // what is known of those of the tree
  std::vector<uint32_t> best_;  // by key: the node that reached it at the lowest cost
  std::vector<Entry> queue_;
  Orbits orbits_;
  uint32_t goal_ = kNone;
};

}  // namespace liftq
