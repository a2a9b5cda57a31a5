#include "heuristics/additive.h"

#include <algorithm>
#include <limits>

#include "basics/watch.h"

namespace liftq {

namespace {
constexpr int kUnreached = std::numeric_limits<int>::max();
constexpr int kMost = 1 << 30;  // sums grow exponentially with depth; all beyond this are equally bad

int add(int left, int right) { return static_cast<int>(std::min<int64_t>(int64_t{left} + right, kMost)); }
}  // namespace

Additive::Additive(const Relaxation& relaxation) : relaxation_(relaxation) {
  fresh_.reserve(relaxation.num_operators());
  for (size_t op = 0; op < relaxation.num_operators(); ++op)
    fresh_.push_back({static_cast<int>(relaxation.preconditions[op].size()), relaxation.costs[op]});
}

int Additive::h_add(std::span<const int> state) {
  explore(state);
  const int value = h_add_[relaxation_.goal()];
  return value == kUnreached ? kInfinite : value;
}

int64_t Additive::h_ff(std::span<const int> state) {
  explore(state);
  if (h_add_[relaxation_.goal()] == kUnreached) return kInfinite;
  is_marked_.assign(relaxation_.num_propositions(), 0);
  is_in_plan_.assign(relaxation_.num_operators(), 0);
  int64_t value = 0;
  stack_.assign(1, relaxation_.goal());
  while (!stack_.empty()) {
    const int proposition = stack_.back();
    stack_.pop_back();
    const int op = achiever_[proposition];
    if (is_marked_[proposition] || op == Relaxation::kNone) continue;
    is_marked_[proposition] = 1;
    if (is_in_plan_[op]) continue;
    is_in_plan_[op] = 1;
    value += relaxation_.costs[op];
    const auto preconditions = relaxation_.preconditions[op];
    stack_.insert(stack_.end(), preconditions.begin(), preconditions.end());
  }
  return value;
}

void Additive::enqueue_if_cheaper(int proposition, int cost, int achiever) {
  if (cost >= h_add_[proposition]) return;
  h_add_[proposition] = cost;
  achiever_[proposition] = achiever;
  queue_.push(cost, proposition);
}

void Additive::explore(std::span<const int> state) {
  operators_ = fresh_;
  queue_.clear();
  h_add_.assign(relaxation_.num_propositions(), kUnreached);
  achiever_.assign(relaxation_.num_propositions(), Relaxation::kNone);
  for (int proposition : state) enqueue_if_cheaper(proposition, 0, Relaxation::kNone);
  enqueue_if_cheaper(relaxation_.truth(), 0, Relaxation::kNone);
  while (!queue_.empty()) {
    const auto [cost, proposition] = queue_.pop();
    if (cost > h_add_[proposition]) continue;
    poll(relaxation_.precondition_of[proposition].size());
    for (int op : relaxation_.precondition_of[proposition]) {
      Operator& entry = operators_[op];
      entry.total = add(entry.total, cost);
      if (--entry.num_missing > 0) continue;
      for (int effect : relaxation_.effects[op]) enqueue_if_cheaper(effect, entry.total, op);
    }
  }
}

}  // namespace liftq
