// All relaxed plans that h_FF may choose from, in one: whatever achieves a needed proposition as cheaply as any other
// is in. So these actions depend on the state alone, not on names or on the order of anything, and of like actions
// either all are in or none.
#pragma once

#include <span>
#include <vector>

#include "heuristics/additive_costs.h"

namespace liftq {

class RelaxedPlans {
 public:
  explicit RelaxedPlans(const Relaxation& relaxation);

  // Of the state in which exactly these propositions hold, in increasing order. False if there is no relaxed plan.
  bool find(std::span<const int> state);
  std::span<const int> actions() const { return actions_; }  // of those found last: into those of the relaxation

 private:
  void need(int proposition);
  void take(int op);

  const Relaxation& relaxation_;
  AdditiveCosts costs_;
  std::vector<uint8_t> is_needed_;  // by proposition
  std::vector<uint8_t> is_taken_;   // by action
  std::vector<int> needed_, actions_;
};

}  // namespace liftq
