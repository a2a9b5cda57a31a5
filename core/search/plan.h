// What a plan is made of, and what it does from the initial state on.
#pragma once

#include <vector>

#include "planning/engine.h"

namespace liftq {

struct Step {
  int schema;
  std::vector<int> arguments;
};

StateId state_after(Engine& engine, const std::vector<Step>& plan, size_t count);  // after so many applicable steps
// Why a plan does not solve the task; nullptr if it does.
const char* flaw_of(Engine& engine, const std::vector<Step>& plan);

}  // namespace liftq
