// The delete relaxation of a task, as Fast Downward hands it to LM-cut: one proposition per atom, one operator per
// reachable action with all its unconditional effects. Each conditional effect is a separate operator, and so is each
// instance of a rule, at no cost. An atom p that some precondition or goal needs false has a second proposition, not-p,
// which actions that delete p achieve.
//
// Irrelevant parts are left out, which changes no value: atoms that always hold, unreachable operators, and
// propositions from which no chain of operators leads to the goal.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "basics/lists.h"
#include "heuristics/grounding.h"
#include "planning/atom_table.h"
#include "planning/task.h"

namespace liftq {

enum class Costs { of_actions, one };  // one: every action counts the same

struct Undominated;

struct Relaxation {
  static constexpr int kNone = -1;

  size_t num_propositions() const { return precondition_of.count(); }
  size_t num_operators() const { return costs.size(); }
  size_t num_rules() const { return std::ranges::count(action_of, kNone) - 1; }  // as operators
  int goal() const { return static_cast<int>(num_propositions()) - 2; }          // the artificial goal
  int truth() const { return static_cast<int>(num_propositions()) - 1; }  // precondition of operators without any other

  Lists<> preconditions, effects;      // by operator: propositions
  Lists<> precondition_of, effect_of;  // by proposition: operators
  std::vector<int> costs;              // by operator, in units; the last one is free and achieves the goal
  double units_per_cost = 1;           // above 1 if costs are fractions
  Actions actions;                     // those that the operators stand for
  std::vector<int> action_of;          // by operator: index into `actions`; kNone for rules and the last one
  Lists<> operators_of;                // by action: more than one if it has conditional effects
  bool solvable = true;                // false if no state that this relaxation covers has a relaxed plan
  uint64_t steps = 0;                  // of grounding

  // How states are read. A state is covered if it has atoms of this table only, and all of those that always hold.
  AtomTable atoms;
  std::vector<int> proposition_of;    // by atom, kNone if it does not matter
  std::vector<uint8_t> always_holds;  // by atom
  size_t num_always_holds = 0;
  std::vector<std::pair<AtomId, int>> absences;  // atom, and the proposition that holds where the atom does not

  mutable std::shared_ptr<const Undominated> undominated;  // made on demand (heuristics/dominance.h)
};

// For each item below `num_items`: the lists that hold it, in order.
Lists<> inverse(const Lists<>& lists, size_t num_items);

// Covers every state reachable from states whose atoms are among the seeds and include all certain ones.
// Throws TooLargeToGround if that takes more steps.
Relaxation relax(const Task& task, const AtomTable& seeds, const std::vector<uint8_t>& is_certain,  // by seed
                 Costs costs = Costs::of_actions, uint64_t most_steps = kAnyEffort);

}  // namespace liftq
