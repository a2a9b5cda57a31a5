#include "search/independence.h"

#include <algorithm>

#include "basics/hash.h"

namespace liftq {

IndependentActions::IndependentActions(Engine& engine) : engine_(engine) {}

void IndependentActions::begin(StateId state) {
  for (AtomId atom : touched_) roles_[atom] = 0;
  touched_.clear();
  is_alone_ = false;
  purposes_.clear();
  is_wanted_.assign(engine_.task().num_objects(), 0);
  open_goals_.clear();
  has_goal_.clear();
  for (const GroundAtom& goal : engine_.task().goal_positive) {
    if (engine_.task().predicates[goal.predicate].is_static || engine_.holds(state, goal)) continue;
    open_goals_.insert(engine_.intern(goal));
    if (!goal.arguments.empty()) has_goal_.insert(hash_atom(goal.predicate, goal.arguments.data(), 1));
    for (int object : goal.arguments) is_wanted_[object] = 1;
  }
}

template <class Visit>
void IndependentActions::visit(Visit visit) const {
  for (AtomId atom : action_.needs) visit(atom, kNeeded);
  for (AtomId atom : action_.forbids) visit(atom, kForbidden);
  for (AtomId atom : action_.adds) visit(atom, kAdded);
  for (AtomId atom : action_.deletes) visit(atom, kDeleted);
}

bool IndependentActions::admits(int schema, const int* arguments) {
  ground(engine_, schema, arguments, action_);
  is_plain_ = is_plain(engine_.task(), engine_.task().schemas[schema]);
  purpose_ = purpose();
  if (roles_.size() < engine_.atoms().size()) roles_.resize(engine_.atoms().size(), 0);
  if (is_alone_ || (!is_plain_ && !touched_.empty())) return false;
  bool independent = true;
  visit([&](AtomId atom, Role role) {
    const uint8_t against = role == kNeeded      ? kDeleted
                            : role == kForbidden ? kAdded
                            : role == kAdded     ? kForbidden | kDeleted
                                                 : kNeeded | kAdded;
    if (roles_[atom] & against) independent = false;
  });
  return independent && !purposes_.contains(purpose_);
}

void IndependentActions::add() {
  is_alone_ = !is_plain_;
  visit([&](AtomId atom, Role role) {
    if (roles_[atom] == 0) touched_.push_back(atom);
    roles_[atom] |= role;
  });
  if (has_purpose()) purposes_.insert(purpose_);
}

uint64_t IndependentActions::purpose() const {
  uint64_t sum = 0;
  for (AtomId atom : action_.adds) sum += purpose_of(atom);
  return sum;
}

uint64_t IndependentActions::purpose_of(AtomId atom) const {
  if (open_goals_.contains(atom)) return engine_.atoms().hash(atom);
  const int predicate = engine_.atoms().predicate(atom), arity = engine_.atoms().arity(atom);
  const int* first = engine_.atoms().arguments(atom);
  std::vector<int> arguments(first, first + arity);
  for (int i = 0; i < arity; ++i)
    if (!is_wanted_[first[i]] || (i == 0 && has_goal_.contains(hash_atom(predicate, first, 1))))
      arguments[i] = kPlaceholder;
  const bool is_empty = std::all_of(arguments.begin(), arguments.end(), [](int object) { return object < 0; });
  return is_empty ? 0 : hash_atom(predicate, arguments.data(), arity);
}

}  // namespace liftq
