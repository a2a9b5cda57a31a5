// Costs of propositions, found in the order of Dijkstra's algorithm: each leaves the queue when its cost is known. What
// an operator costs, given those of its preconditions, is up to the heuristic.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "basics/cost_queue.h"
#include "basics/watch.h"
#include "heuristics/heuristic.h"
#include "heuristics/relaxation.h"

namespace liftq {

class Exploration {
 public:
  static constexpr int kUnreached = std::numeric_limits<int>::max();

  explicit Exploration(const Relaxation& relaxation) : relaxation_(relaxation) {}

  void start(std::span<const int> state) {
    queue_.clear();
    costs_.assign(relaxation_.num_propositions(), kUnreached);
    for (int proposition : state) lower(proposition, 0);
    lower(relaxation_.truth(), 0);
  }

  bool lower(int proposition, int cost) {  // false if that is no cheaper
    if (cost >= costs_[proposition]) return false;
    costs_[proposition] = cost;
    queue_.push(cost, proposition);
    return true;
  }

  // Until the queue is empty: visit(op, proposition, cost) for all that have this precondition.
  template <class Visit>
  void run(Visit visit) {
    while (!queue_.empty()) {
      const auto [cost, proposition] = queue_.pop();
      if (cost > costs_[proposition]) continue;
      const auto operators = relaxation_.precondition_of[proposition];
      poll(operators.size());
      for (int op : operators) visit(op, proposition, cost);
    }
  }

  int cost(int proposition) const { return costs_[proposition]; }
  int64_t goal_value() const {
    const int cost = costs_[relaxation_.goal()];
    return cost == kUnreached ? Heuristic::kInfinite : cost;
  }

 private:
  const Relaxation& relaxation_;
  std::vector<int> costs_;  // by proposition
  CostQueue queue_;
};

}  // namespace liftq
