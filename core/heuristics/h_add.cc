// h_add (Bonet & Geffner, AIJ 2001): the sum of the costs of all goal atoms, as if they were independent.
#include "heuristics/additive_costs.h"

namespace liftq {

namespace {

class HAdd : public Heuristic {
 public:
  explicit HAdd(const Relaxation& relaxation) : costs_(relaxation) {}

  int64_t value(std::span<const int> state) override {
    costs_.explore(state);
    return costs_.goal_value();
  }

 private:
  AdditiveCosts costs_;
};

const Registry<HeuristicKind> h_add("h_add", {false,
                                              "The sum of the costs of all goal atoms, as if they were independent "
                                              "(Bonet & Geffner, AIJ 2001).",
                                              make_heuristic<HAdd>});

}  // namespace

}  // namespace liftq
