// Costs of propositions as if all preconditions of an operator had to be achieved on their own, which h_add and h_FF
// build on. Successive states of a search differ little, so costs are updated from those of the state before (PINCH;
// Liu, Koenig & Furcy, AAAI 2002), or computed afresh where updating them turns out to be more work.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "basics/cost_queue.h"
#include "heuristics/heuristic.h"
#include "heuristics/relaxation.h"

namespace liftq {

class AdditiveCosts {
 public:
  static constexpr int kUnreached = INT32_MAX;

  explicit AdditiveCosts(const Relaxation& relaxation);

  void explore(std::span<const int> state);  // in which exactly these propositions hold, in increasing order
  int64_t goal_value() const {
    const int cost = propositions_[relaxation_.goal()].offer;
    return cost == kUnreached ? Heuristic::kInfinite : cost;
  }
  // kUnreached if it is out of reach. Nothing beyond the goals need be known.
  int cost(int proposition) const { return propositions_[proposition].cost; }
  // Of what costs no more than the goals: the first of the best operators, whatever was explored before; kNone for what
  // holds or is out of reach.
  int achiever(int proposition) const { return propositions_[proposition].achiever; }
  bool is_best_achiever(int op, int proposition) const {  // of one of its effects, which costs no more than the goals
    return cost_of(op) == propositions_[proposition].offer;
  }

 private:
  static constexpr int kLongestPause = 64;
  static constexpr int kUnknown = -2;  // in place of an achiever that is to be looked for

  // Waits in the queue while what its operators have counted is not what its achievers offer.
  struct Proposition {
    int cost;   // as counted in the totals of operators
    int offer;  // of its best achiever, or less while that is unknown
    int achiever;
  };

  int cost_of(int op) const {
    return totals_[op] < missing_ ? static_cast<int>(std::min<int64_t>(totals_[op], most_)) : kUnreached;
  }
  void start_afresh(std::span<const int> state);
  bool update(std::span<const int> state);  // false if it was given up
  enum class Extent { goals, all };         // how far: to all that costs no more than the dearest goal
  void settle(Extent extent, uint64_t most_work = UINT64_MAX);
  void lower(int proposition);
  void raise(int proposition);
  void take_offer(int proposition, int op, int cost);
  void find_achiever(int proposition);
  void enter(int proposition);
  void leave(int proposition);
  void enqueue(int proposition);
  void count_work(size_t operators);

  const Relaxation& relaxation_;
  int64_t most_;     // sums grow exponentially with depth; all beyond this are equally bad
  int64_t missing_;  // more than all preconditions of an operator can cost together
  bool can_update_;
  std::vector<int64_t> fresh_;   // by operator: the total before exploration
  std::vector<int64_t> totals_;  // by operator: its cost and those of its preconditions, `missing_` if not reached
  std::vector<Proposition> propositions_;
  CostQueue queue_;
  std::vector<int> state_;    // that the costs belong to
  bool is_complete_ = false;  // all costs are known, not just those up to the goals
  bool is_saturated_ = false;
  uint64_t work_ = 0, work_afresh_ = 0;  // operators looked at: for this state, and the last time from scratch
  int pause_ = 0, next_pause_ = 1;       // states to do from scratch before updating is tried again
};

}  // namespace liftq
