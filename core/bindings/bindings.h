// What the binding files share: arrays handed over to numpy, and checks of what comes in.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "basics/checks.h"
#include "basics/memory.h"
#include "planning/engine.h"
#include "search/plan.h"

namespace liftq {

namespace nb = nanobind;

template <class T>
using Array = nb::ndarray<nb::numpy, T>;

// Hands a vector over to numpy without copying its elements.
template <class T>
Array<T> to_numpy(std::vector<T> values, std::vector<size_t> shape) {
  auto* owner = new std::vector<T>(std::move(values));
  nb::capsule capsule(owner, [](void* pointer) noexcept { delete static_cast<std::vector<T>*>(pointer); });
  return Array<T>(owner->data(), shape.size(), shape.data(), capsule);
}

template <class T>
Array<T> to_numpy(std::vector<T> values) {
  const size_t count = values.size();
  return to_numpy(std::move(values), {count});
}

// A schema and its arguments: how Python sees an action.
using Action = std::pair<int, std::vector<int>>;

inline std::vector<Action> to_actions(const std::vector<Step>& plan) {
  std::vector<Action> actions;
  for (const Step& step : plan) actions.emplace_back(step.schema, step.arguments);
  return actions;
}

// A read-only array that keeps its owner alive (for properties).
template <class T>
nb::ndarray<nb::numpy, const T, nb::ndim<1>> view(const std::vector<T>& values) {
  return nb::ndarray<nb::numpy, const T, nb::ndim<1>>(values.data(), {values.size()});
}

inline int check_state(const Engine& engine, int64_t state) {
  require(state >= 0 && static_cast<size_t>(state) < engine.states().size(), "no such state in this task");
  return static_cast<int>(state);
}

inline void check_action(const Engine& engine, int schema, const std::vector<int>& arguments) {
  checked(schema, engine.task().schemas.size(), "no such schema");
  require(arguments.size() == engine.task().schemas[schema].parameter_types.size(), "wrong number of arguments");
  for (int object : arguments) checked(object, engine.task().object_type.size(), "no such object");
}

// A call from Python into an engine: no other thread may use it meanwhile, and this thread's watches count what is
// allocated.
class Call {
 public:
  explicit Call(const Engine& engine) : engine_(engine) {
    if (engine.in_use.test_and_set(std::memory_order_acquire))
      throw std::runtime_error("another thread is using this task: give each thread a task of its own");
  }
  ~Call() { engine_.in_use.clear(std::memory_order_release); }
  Call(const Call&) = delete;

 private:
  const Engine& engine_;
  Metered metered_;
};

void bind_watch(nb::module_& module);
void bind_engine(nb::module_& module);
void bind_task(nb::module_& module);
void bind_heuristics(nb::module_& module);
void bind_graph(nb::module_& module);
void bind_policy(nb::module_& module);
void bind_plays(nb::module_& module);
void bind_search(nb::module_& module);
void bind_facts(nb::module_& module);

}  // namespace liftq
