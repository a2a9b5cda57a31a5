// Heuristics and lessons for Python. The interpreter's lock is released while they are computed.
#include "heuristics/heuristics.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <memory>

#include "bindings/bindings.h"
#include "search/lessons.h"

using namespace nanobind::literals;

namespace liftq {
namespace {

using Action = std::pair<int, std::vector<int>>;

std::vector<double> evaluate(Heuristics& heuristics, const std::vector<int64_t>& states,
                             double (Heuristics::*value)(StateId)) {
  const Call call(heuristics.engine());
  for (int64_t state : states) check_state(heuristics.engine(), state);
  const nb::gil_scoped_release release;
  std::vector<double> values;
  values.reserve(states.size());
  for (int64_t state : states) values.push_back((heuristics.*value)(static_cast<StateId>(state)));
  return values;
}

template <double (Heuristics::*value)(StateId)>
Array<double> values(Heuristics& self, const std::vector<int64_t>& states) {
  return to_numpy(evaluate(self, states, value));
}

std::vector<std::pair<double, std::vector<Action>>> landmarks(Heuristics& self, int64_t state) {
  const Call call(self.engine());
  std::vector<std::pair<double, std::vector<Action>>> result;
  for (const auto& [cost, actions] : self.landmarks(check_state(self.engine(), state))) {
    auto& members = result.emplace_back(cost, std::vector<Action>()).second;
    for (size_t i = 0; i < actions.count(); ++i)
      members.emplace_back(actions.schema_of[i],
                           std::vector<int>(actions.arguments_of(i), actions.arguments_of(i + 1)));
  }
  return result;
}

std::unique_ptr<Lessons> replay_plan(Heuristics& self, const std::vector<Action>& plan) {
  const Call call(self.engine());
  GroundActions actions;
  for (const auto& [schema, arguments] : plan) {
    check_action(self.engine(), schema, arguments);
    actions.add(schema, arguments.data(), arguments.data() + arguments.size());
  }
  const nb::gil_scoped_release release;
  return std::make_unique<Lessons>(replay(self.engine(), self, actions));
}

void bind_lessons(nb::module_& module) {
  nb::class_<Lessons>(module, "Lessons", "A plan replayed: its states, their candidates and what is known of them.")
      .def_prop_ro("states", [](const Lessons& self) { return view(self.states); })
      .def_prop_ro(
          "h_star", [](const Lessons& self) { return view(self.h_star); }, "by state")
      .def_prop_ro(
          "teacher", [](const Lessons& self) { return view(self.teacher); },
          "by state: the plan's candidate, counted within the state")
      .def_prop_ro(
          "first_candidate", [](const Lessons& self) { return view(self.first_candidate); },
          "by state, with one past the end")
      .def_prop_ro(
          "candidates", [](const Lessons& self) { return self.candidates; }, "of all states in succession")
      .def_prop_ro(
          "costs", [](const Lessons& self) { return view(self.costs); }, "by candidate")
      .def_prop_ro(
          "h_successor", [](const Lessons& self) { return view(self.h_successor); },
          "by candidate: LM-cut, infinite for dead ends; on the plan: h*");
}

}  // namespace

void bind_heuristics(nb::module_& module) {
  bind_lessons(module);
  nb::class_<Heuristics>(module, "Heuristics",
                         "Heuristics of one task on its delete relaxation; one object per thread.")
      .def(
          "__init__",
          [](Heuristics* self, Engine& engine) {
            const Call call(engine);
            const nb::gil_scoped_release release;
            new (self) Heuristics(engine);
          },
          "engine"_a, nb::keep_alive<1, 2>())
      .def_prop_ro("num_propositions", &Heuristics::num_propositions)
      .def_prop_ro("num_operators", &Heuristics::num_operators)
      .def("h_max", &values<&Heuristics::h_max>, "states"_a)
      .def("lm_cut", &values<&Heuristics::lm_cut>, "states"_a)
      .def("h_add", &values<&Heuristics::h_add>, "states"_a)
      .def("h_ff", &values<&Heuristics::h_ff>, "states"_a)
      .def("landmarks", &landmarks, "state"_a)
      .def("replay", &replay_plan, "plan"_a);
}

}  // namespace liftq
