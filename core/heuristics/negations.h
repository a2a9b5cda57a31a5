// Operators that make derived atoms false. An atom is false if every instance of its rules fails, and an instance fails
// if one of its conditions does. Instances that depend on their own stratum may fail merely because of a cycle, so they
// are assumed to fail at no cost, which keeps values lower bounds.
#pragma once

#include "heuristics/ground_task.h"
#include "heuristics/relaxed_schemas.h"

namespace liftq {

// Adds operators for all negations of derived atoms that occur in conditions or in the goal.
void add_negations(const RelaxedSchemas& relaxed, int num_predicates, GroundTask& task);

}  // namespace liftq
