#include "heuristics/additive_costs.h"

#include <algorithm>

namespace liftq {

namespace {
constexpr int kMost = 1 << 30;  // sums grow exponentially with depth; all beyond this are equally bad

int add(int left, int right) { return static_cast<int>(std::min<int64_t>(int64_t{left} + right, kMost)); }
}  // namespace

AdditiveCosts::AdditiveCosts(const Relaxation& relaxation) : relaxation_(relaxation), exploration_(relaxation) {
  fresh_.reserve(relaxation.num_operators());
  for (size_t op = 0; op < relaxation.num_operators(); ++op)
    fresh_.push_back({static_cast<int>(relaxation.preconditions[op].size()), relaxation.costs[op]});
}

void AdditiveCosts::explore(std::span<const int> state, Extent extent) {
  operators_ = fresh_;
  achiever_.assign(relaxation_.num_propositions(), Relaxation::kNone);
  const int goal_operator = static_cast<int>(relaxation_.num_operators()) - 1;
  exploration_.start(state);
  exploration_.run([&](int op, int /*proposition*/, int cost) {
    Operator& entry = operators_[op];
    entry.total = add(entry.total, cost);
    if (--entry.num_missing > 0) return;
    for (int effect : relaxation_.effects[op])
      if (exploration_.lower(effect, entry.total)) achiever_[effect] = op;
    if (op == goal_operator)  // all goals are known; it is the last to need any proposition
      extent == Extent::goals ? exploration_.stop() : exploration_.stop_beyond(cost);
  });
}

}  // namespace liftq
