// The preconditions and effects of a ground action, as numbers of fluent atoms. Complete if the action is plain.
#pragma once

#include <vector>

#include "planning/engine.h"

namespace liftq {

struct GroundAction {
  std::vector<AtomId> needs, forbids;  // must hold, must not hold
  std::vector<AtomId> adds, deletes;   // an atom that is deleted and added is added
};

void ground(Engine& engine, int schema, const int* arguments, GroundAction& action);

}  // namespace liftq
