// Which atoms, goals, types and actions of a task go to which relation of its graphs.
#pragma once

#include <algorithm>
#include <vector>

#include "planning/orbits.h"
#include "planning/task.h"

namespace liftq {

// A relation for each, or -1 for none.
struct Encoding {
  std::vector<int> arity;                            // by relation; an atom without arguments is said of every object
  std::vector<int> atom;                             // by predicate
  std::vector<int> goal_true, goal_false;            // by predicate: goal atoms that hold in the state, or do not
  std::vector<int> forbidden_true, forbidden_false;  // the same for negative goals
  std::vector<std::vector<int>> types;               // by object: relations of its types
  std::vector<int> action;                           // by schema: relation of (action, arguments...)
  std::vector<int> relaxed;                          // by schema: relation of the arguments of its relaxed actions
  // By predicate and by schema: which argument goes to the first position of a row, and so on.
  std::vector<std::vector<int>> predicate_order, schema_order;
  // Relaxed actions are those of relaxed plans.
  int helpful = -1;    // candidates among them
  int dead_end = -1;   // said of every object: there is no relaxed plan
  int too_large = -1;  // said of every object: the task is too large for relaxed plans to be known
  // Shown as goals, though the task does not ask for them. Twins must be alike in them.
  std::vector<GroundAtom> presumed;

  bool has_relaxed() const {
    return std::max({helpful, dead_end, too_large}) >= 0 || std::ranges::any_of(relaxed, [](int r) { return r >= 0; });
  }
};

// These throw std::invalid_argument if an encoding does not fit a task, or cannot take these candidates.
void check_encoding(const Encoding& encoding, const Task& task);
void check_candidates(const Encoding& encoding, const Task& task, const Orbits& orbits);

}  // namespace liftq
