#include "search/plan.h"

namespace liftq {

StateId state_after(Engine& engine, const std::vector<Step>& plan, size_t count) {
  StateId state = engine.initial_state();
  for (size_t i = 0; i < count; ++i) state = engine.successor(state, plan[i].schema, plan[i].arguments.data());
  return state;
}

const char* flaw_of(Engine& engine, const std::vector<Step>& plan) {
  StateId state = engine.initial_state();
  for (const Step& step : plan) {
    if (!engine.applicable(state, step.schema, step.arguments.data())) return "an action of the plan is not applicable";
    state = engine.successor(state, step.schema, step.arguments.data());
  }
  return engine.is_goal(state) ? nullptr : "the plan does not reach the goal";
}

}  // namespace liftq
