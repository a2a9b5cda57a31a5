// h_max (Bonet & Geffner, AIJ 2001): an operator waits for the costliest of its preconditions.
#include <vector>

#include "heuristics/exploration.h"

namespace liftq {

namespace {

class HMax : public Heuristic {
 public:
  explicit HMax(const Relaxation& relaxation) : relaxation_(relaxation), exploration_(relaxation) {
    for (size_t op = 0; op < relaxation.num_operators(); ++op)
      num_preconditions_.push_back(static_cast<int>(relaxation.preconditions[op].size()));
  }

  int64_t value(std::span<const int> state) override {
    num_missing_ = num_preconditions_;
    exploration_.start(state);
    exploration_.run([&](int op, int /*proposition*/, int cost) {
      if (--num_missing_[op] > 0) return;
      for (int effect : relaxation_.effects[op]) exploration_.lower(effect, cost + relaxation_.costs[op]);
    });
    return exploration_.goal_value();
  }

 private:
  const Relaxation& relaxation_;
  Exploration exploration_;
  std::vector<int> num_preconditions_;  // by operator
  std::vector<int> num_missing_;        // by operator: preconditions not reached
};

const Registry<HeuristicKind> h_max("h_max", {true, "The cost of the costliest goal atom (Bonet & Geffner, AIJ 2001).",
                                              make_heuristic<HMax>});

}  // namespace

}  // namespace liftq
