// What it takes to make derived atoms false. An atom is false if every instance of its rules fails, and an instance
// fails if one of its conditions does. Instances that depend on their own stratum may fail for no other reason than a
// circle, so they are taken to fail at no cost: values stay lower bounds.
#pragma once

#include "heuristics/ground_task.h"
#include "heuristics/relaxed_schemas.h"

namespace liftq {

// Adds operators that achieve all negations of derived atoms that some condition or the goal wants.
void add_negations(const RelaxedSchemas& relaxed, int num_predicates, GroundTask& task);

}  // namespace liftq
