// Costs of propositions as if all preconditions of an operator had to be achieved on their own, which h_add and h_FF
// build on.
#pragma once

#include <span>
#include <vector>

#include "heuristics/exploration.h"

namespace liftq {

class AdditiveCosts {
 public:
  explicit AdditiveCosts(const Relaxation& relaxation);

  // How far: until all goals are reached, or on to all that costs no more than the dearest of them.
  enum class Extent { goals, all_as_cheap };
  void explore(std::span<const int> state, Extent extent = Extent::goals);
  int64_t goal_value() const { return exploration_.goal_value(); }
  int achiever(int proposition) const { return achiever_[proposition]; }  // operator, kNone in the state
  bool is_best_achiever(int op, int proposition) const {                  // of one of its effects, whose cost is known
    return operators_[op].num_missing == 0 && operators_[op].total == exploration_.cost(proposition);
  }

 private:
  struct Operator {
    int num_missing;  // preconditions not reached
    int total;        // its cost and that of the preconditions reached
  };
  const Relaxation& relaxation_;
  Exploration exploration_;
  std::vector<Operator> fresh_, operators_;  // by operator: before and during exploration
  std::vector<int> achiever_;                // by proposition
};

}  // namespace liftq
