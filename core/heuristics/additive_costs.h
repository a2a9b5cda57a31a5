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

  void explore(std::span<const int> state);
  int64_t goal_value() const { return exploration_.goal_value(); }
  int achiever(int proposition) const { return achiever_[proposition]; }  // operator, kNone in the state

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
