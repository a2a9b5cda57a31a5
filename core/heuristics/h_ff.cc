// h_FF (Hoffmann & Nebel, JAIR 2001; here with the achievers that h_add finds best): the cost of a relaxed plan.
#include <vector>

#include "heuristics/additive_costs.h"
#include "heuristics/dominance.h"

namespace liftq {

namespace {

class HFF : public Heuristic {
 public:
  explicit HFF(const Relaxation& relaxation)
      : relaxation_(without_dominated(relaxation).relaxation),
        origin_(without_dominated(relaxation).origin),
        costs_(relaxation_),
        is_in_plan_(relaxation_.num_operators(), 0),
        is_paid_(relaxation.actions.count(), 0) {}

  int64_t value(std::span<const int> state) override {
    forget_plan();
    relaxed_plan_.clear();
    costs_.explore(state);
    if (costs_.goal_value() == kInfinite) return kInfinite;
    extract_plan();
    for (int op : plan_) relaxed_plan_.push_back(origin_[op]);
    return cost_of_plan();
  }

  std::span<const int> relaxed_plan() const override { return relaxed_plan_; }

 private:
  void forget_plan() {
    for (int op : plan_) {
      is_in_plan_[op] = 0;
      if (const int action = relaxation_.action_of[op]; action >= 0) is_paid_[action] = 0;
    }
    plan_.clear();
  }

  void extract_plan() {
    stack_.assign(1, relaxation_.goal());
    while (!stack_.empty()) {
      const int proposition = stack_.back();
      stack_.pop_back();
      const int op = costs_.achiever(proposition);
      if (op == Relaxation::kNone || is_in_plan_[op]) continue;
      is_in_plan_[op] = 1;
      plan_.push_back(op);
      const auto preconditions = relaxation_.preconditions[op];
      stack_.insert(stack_.end(), preconditions.begin(), preconditions.end());
    }
  }

  // An action is paid for once, whichever of its effects are used.
  int64_t cost_of_plan() {
    int64_t sum = 0;
    for (int op : plan_) {
      const int action = relaxation_.action_of[op];
      if (action < 0 || is_paid_[action]) continue;
      is_paid_[action] = 1;
      sum += relaxation_.costs[op];
    }
    return sum;
  }

  const Relaxation& relaxation_;  // without dominated operators
  const std::vector<int>& origin_;
  AdditiveCosts costs_;
  std::vector<uint8_t> is_in_plan_;  // by operator
  std::vector<uint8_t> is_paid_;     // by action
  std::vector<int> stack_, plan_;    // propositions; operators
  std::vector<int> relaxed_plan_;    // the same, as numbered among all operators
};

const Registry<HeuristicKind> h_ff("h_ff", {false, "The cost of a relaxed plan (Hoffmann & Nebel, JAIR 2001).",
                                            make_heuristic<HFF>});

}  // namespace

}  // namespace liftq
