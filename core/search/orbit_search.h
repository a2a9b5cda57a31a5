// A* with LM-cut (Hart, Nilsson & Raphael, 1968; Helmert & Domshlak, ICAPS 2009) on states up to the exchange of
// like objects: of states with the same key only the one with the cheapest path is kept, and of actions only one per
// orbit. Its plans are optimal.
//
// A state is valued when it leaves the queue; until then it waits with the bound of its parent. So most states beside
// the path to the goal are never valued.
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
  // Looks for plans that cost less than `most`. The search ends with `step_limit` after expanding this many states.
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

  bool value(uint32_t node);  // false if the node waits for its turn, or is a dead end
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
  std::vector<Node> nodes_;     // by node of the tree
  std::vector<uint32_t> best_;  // by key: the node that reached it at the lowest cost
  std::vector<Entry> queue_;
  Orbits orbits_;
  uint32_t goal_ = kNone;
};

}  // namespace liftq
