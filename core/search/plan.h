// Plans, and their execution from the initial state.
#pragma once

#include <vector>

#include "planning/engine.h"

namespace liftq {

struct Step {
  int schema;
  std::vector<int> arguments;
};

StateId state_after(Engine& engine, const std::vector<Step>& plan, size_t count);  // after this many applicable steps
// Why a plan does not solve the task; nullptr if it does.
const char* flaw_of(Engine& engine, const std::vector<Step>& plan);

}  // namespace liftq
