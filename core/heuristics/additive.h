// h_add (Bonet & Geffner, AIJ 2001) and h_FF (Hoffmann & Nebel, JAIR 2001; here with the achievers that h_add finds
// best) on a delete relaxation. Neither is a lower bound.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "basics/cost_queue.h"
#include "heuristics/relaxation.h"

namespace liftq {

class Additive {
 public:
  static constexpr int kInfinite = -1;  // no relaxed plan

  explicit Additive(const Relaxation& relaxation);

  // Of the state in which exactly these propositions hold, in units of the relaxation's costs.
  int h_add(std::span<const int> state);
  int64_t h_ff(std::span<const int> state);  // cost of a relaxed plan

 private:
  struct Operator {
    int num_missing;  // preconditions not reached
    int total;        // its cost and that of the preconditions reached
  };
  void explore(std::span<const int> state);
  void enqueue_if_cheaper(int proposition, int cost, int achiever);

  const Relaxation& relaxation_;
  std::vector<Operator> fresh_, operators_;  // by operator: before and during exploration
  std::vector<int> h_add_;                   // by proposition
  std::vector<int> achiever_;                // by proposition: operator, kNone in the state
  CostQueue queue_;
  std::vector<uint8_t> is_marked_;   // by proposition: its achiever is part of the relaxed plan
  std::vector<uint8_t> is_in_plan_;  // by operator
  std::vector<int> stack_;
};

}  // namespace liftq
