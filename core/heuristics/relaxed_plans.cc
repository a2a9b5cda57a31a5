#include "heuristics/relaxed_plans.h"

#include "basics/watch.h"

namespace liftq {

RelaxedPlans::RelaxedPlans(const Relaxation& relaxation)
    : relaxation_(relaxation),
      costs_(relaxation),
      is_needed_(relaxation.num_propositions(), 0),
      is_taken_(relaxation.actions.count(), 0) {}

bool RelaxedPlans::find(std::span<const int> state) {
  for (int proposition : needed_) is_needed_[proposition] = 0;
  for (int action : actions_) is_taken_[action] = 0;
  needed_.clear();
  actions_.clear();
  costs_.explore(state);
  if (costs_.goal_value() == Heuristic::kInfinite) return false;
  need(relaxation_.goal());
  for (size_t next = 0; next < needed_.size(); ++next) {
    const int proposition = needed_[next];
    if (costs_.achiever(proposition) == Relaxation::kNone) continue;  // it holds
    const auto achievers = relaxation_.effect_of[proposition];
    poll(achievers.size());
    for (int op : achievers)
      if (costs_.is_best_achiever(op, proposition)) take(op);
  }
  return true;
}

void RelaxedPlans::need(int proposition) {
  if (is_needed_[proposition]) return;
  is_needed_[proposition] = 1;
  needed_.push_back(proposition);
}

void RelaxedPlans::take(int op) {
  for (int proposition : relaxation_.preconditions[op]) need(proposition);
  const int action = relaxation_.action_of[op];
  if (action < 0 || is_taken_[action]) return;
  is_taken_[action] = 1;
  actions_.push_back(action);
}

}  // namespace liftq
