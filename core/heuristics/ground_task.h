// A ground task: the atoms and actions that are relaxed-reachable, with conditions and effects as literals.
#pragma once

#include <cstdint>
#include <vector>

#include "basics/lists.h"
#include "heuristics/grounding.h"
#include "heuristics/relaxed_schemas.h"
#include "planning/atom_table.h"
#include "planning/task.h"

namespace liftq {

// A literal is an atom's number doubled, plus one for its negation.
inline int literal(AtomId atom, bool negated) { return static_cast<int>(atom) * 2 + negated; }
inline AtomId atom_of(int literal) { return static_cast<AtomId>(literal) / 2; }
inline bool is_negated(int literal) { return literal & 1; }

struct GroundTask {
  size_t num_literals() const { return atoms.size() * 2; }

  AtomTable atoms;               // starts with the seeds
  Actions actions;               // of relaxed schemas, in a fixed order; kNone for what makes derived atoms false
  Lists<> conditions, effects;   // by action: literals in increasing order, without those on atoms out of reach
  std::vector<int> goal;         // literals in increasing order
  bool goal_is_possible = true;  // false if it contradicts a static atom or needs an unreachable one
  uint64_t steps = 0;            // of the grounder
};

GroundTask ground(const Task& task, const RelaxedSchemas& relaxed, const AtomTable& seeds, uint64_t most_steps);

}  // namespace liftq
