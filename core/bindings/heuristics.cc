// Heuristics and lessons for Python. The interpreter's lock is released while they are computed.
#include "heuristics/heuristics.h"

#include <nanobind/stl/map.h>
#include <nanobind/stl/unique_ptr.h>

#include <map>
#include <memory>
#include <string>

#include "bindings/bindings.h"
#include "search/lessons.h"

using namespace nanobind::literals;

namespace liftq {
namespace {

Array<double> values(Heuristics& self, const std::string& name, const std::vector<int64_t>& states) {
  const HeuristicKind& kind = Registry<HeuristicKind>::find(name);
  const Call call(self.engine());
  for (int64_t state : states) check_state(self.engine(), state);
  std::vector<double> values;
  values.reserve(states.size());
  {
    const nb::gil_scoped_release release;
    for (int64_t state : states) values.push_back(self.value(kind, static_cast<StateId>(state)));
  }
  return to_numpy(std::move(values));
}

std::vector<Action> to_list(const Actions& actions) {
  std::vector<Action> result;
  for (size_t i = 0; i < actions.count(); ++i)
    result.emplace_back(actions.schema_of[i],
                        std::vector<int>(actions.arguments[i].begin(), actions.arguments[i].end()));
  return result;
}

std::vector<Action> relaxed_plan(Heuristics& self, const std::string& name, int64_t state) {
  const HeuristicKind& kind = Registry<HeuristicKind>::find(name);
  const Call call(self.engine());
  return to_list(self.relaxed_plan(kind, check_state(self.engine(), state)));
}

size_t num_operators(Heuristics& self) {
  const Call call(self.engine());
  const nb::gil_scoped_release release;
  return self.relaxation().num_operators();
}

std::vector<std::pair<double, std::vector<Action>>> landmarks(Heuristics& self, int64_t state) {
  const Call call(self.engine());
  std::vector<std::pair<double, std::vector<Action>>> result;
  for (const auto& [cost, actions] : self.landmarks(check_state(self.engine(), state)))
    result.emplace_back(cost, to_list(actions));
  return result;
}

using Condition = std::tuple<int, std::vector<int>, bool, double>;  // predicate, arguments, whether it holds, cost

std::vector<Condition> conditions(Heuristics& self, int64_t state, const std::vector<int>& predicates) {
  const Call call(self.engine());
  check_state(self.engine(), state);
  std::vector<Heuristics::Condition> found;
  {
    const nb::gil_scoped_release release;
    found = self.conditions(static_cast<StateId>(state), predicates);
  }
  std::vector<Condition> result;
  for (auto& [predicate, arguments, positive, cost] : found)
    result.emplace_back(predicate, std::move(arguments), positive, cost);
  return result;
}

std::unique_ptr<Lessons> replay_plan(Heuristics& self, const std::vector<Action>& plan, size_t tie_states, bool bounds,
                                     double dead_end) {
  const Call call(self.engine());
  Actions actions;
  for (const auto& [schema, arguments] : plan) {
    check_action(self.engine(), schema, arguments);
    actions.add(schema, arguments);
  }
  const nb::gil_scoped_release release;
  return std::make_unique<Lessons>(replay(self.engine(), self, actions, {bounds, tie_states, dead_end}));
}

std::map<std::string, std::pair<bool, std::string>> kinds() {
  std::map<std::string, std::pair<bool, std::string>> result;
  for (const auto& [name, kind] : Registry<HeuristicKind>::all())
    result.emplace(name, std::pair(kind.is_lower_bound, kind.description));
  return result;
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
          "bounds", [](const Lessons& self) { return view(self.bounds); },
          "by candidate: its cost + LM-cut of its successor; for the plan's, h*")
      .def_prop_ro(
          "is_rival", [](const Lessons& self) { return view(self.is_rival); },
          "by candidate: neither the plan's nor proven to be as good");
}

}  // namespace

void bind_heuristics(nb::module_& module) {
  bind_lessons(module);
  module.def("heuristics", &kinds, "By name: whether it is a lower bound, and what it is.");
  nb::class_<Heuristics>(module, "Heuristics",
                         "Heuristics of one task on its delete relaxation; one object per thread.")
      .def(
          "__init__",
          [](Heuristics* self, Engine& engine, bool count_actions, uint64_t most_steps) {
            const Call call(engine);
            new (self) Heuristics(engine, count_actions ? Costs::one : Costs::of_actions, most_steps);
          },
          "engine"_a, "count_actions"_a = false, "most_steps"_a = Heuristics::kMostSteps, nb::keep_alive<1, 2>())
      .def_prop_ro("num_operators", &num_operators)
      .def("values", &values, "name"_a, "states"_a)
      .def("relaxed_plan", &relaxed_plan, "name"_a, "state"_a)
      .def("landmarks", &landmarks, "state"_a)
      .def("conditions", &conditions, "state"_a, "predicates"_a,
           "Atoms of these predicates that matter and are in reach: predicate, arguments, whether it is to hold, cost.")
      .def("replay", &replay_plan, "plan"_a, "tie_states"_a = 0, "bounds"_a = true, "dead_end"_a = 0.0,
           "`tie_states`: how many states a search for an equally good plan may expand per candidate.");
}

}  // namespace liftq
