// States and orbits for Python.
#include "planning/engine.h"

#include <nanobind/stl/unique_ptr.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>

#include "bindings/bindings.h"
#include "planning/atom_blocks.h"

using namespace nanobind::literals;

namespace liftq {
namespace {

void check_orbit(const Orbits& orbits, size_t orbit) {
  if (orbit >= orbits.count()) throw std::out_of_range("no such candidate");
}

void bind_orbits(nb::module_& module) {
  nb::class_<Orbits>(module, "Orbits", "Applicable actions of a state up to twins, sorted by schema and arguments.")
      .def("__len__", &Orbits::count)
      .def_prop_ro(
          "sizes", [](const Orbits& self) { return view(self.sizes); }, "actions in each orbit")
      .def(
          "action",
          [](const Orbits& self, size_t orbit) {
            check_orbit(self, orbit);
            const int* arguments = self.arguments_of(orbit);
            return std::pair(self.schema_of[orbit], std::vector<int>(arguments, arguments + self.arity_of(orbit)));
          },
          "orbit"_a)
      .def(
          "part",
          [](const Orbits& self, size_t first, size_t last) {
            require(first <= last && last <= self.count(), "no such candidates");
            auto part = std::make_unique<Orbits>();
            part->append(self, first, last);
            return part;
          },
          "first"_a, "last"_a, "Those from `first` to before `last`.");
}

void bind_states(nb::module_& module) {
  nb::class_<Engine>(module, "Engine", "States, orbits and successors of one task; one engine per thread.")
      .def_prop_ro("initial_state", &Engine::initial_state)
      .def_prop_ro("predicate_arity",
                   [](const Engine& self) {
                     std::vector<int> arity;
                     for (const auto& predicate : self.task().predicates) arity.push_back(predicate.arity);
                     return arity;
                   })
      .def_prop_ro("num_states", [](const Engine& self) { return self.states().size(); })
      .def(
          "is_goal",
          [](Engine& self, int64_t state) {
            const Call call(self);
            return self.is_goal(check_state(self, state));
          },
          "state"_a)
      .def(
          "hash",
          [](const Engine& self, int64_t state) {
            const Call call(self);
            return self.states().hash(check_state(self, state));
          },
          "state"_a)
      .def(
          "orbits",
          [](Engine& self, int64_t state, bool compress) {
            const Call call(self);
            const nb::gil_scoped_release release;
            auto orbits = std::make_unique<Orbits>();
            self.orbits(check_state(self, state), compress, *orbits);
            return orbits;
          },
          "state"_a, "compress"_a = true)
      .def(
          "members",
          [](Engine& self, int64_t state, int schema, const std::vector<int>& arguments) {
            check_action(self, schema, arguments);
            const int arity = static_cast<int>(arguments.size());
            std::vector<int> members;
            {
              const Call call(self);
              members = orbit_members(self.twins(check_state(self, state)), arguments.data(), arity);
            }
            const size_t count = arity == 0 ? 1 : members.size() / arity;
            return to_numpy(std::move(members), {count, static_cast<size_t>(arity)});
          },
          "state"_a, "schema"_a, "arguments"_a)
      .def(
          "twin_classes",
          [](Engine& self, int64_t state) {
            std::vector<int> classes;
            {
              const Call call(self);
              classes = self.twins(check_state(self, state)).class_of;
            }
            return to_numpy(std::move(classes));
          },
          "state"_a)
      .def(
          "representative",
          [](Engine& self, int64_t state, int schema, std::vector<int> arguments) {
            check_action(self, schema, arguments);
            const Call call(self);
            canonicalize(self.twins(check_state(self, state)), arguments.data(), static_cast<int>(arguments.size()));
            return arguments;
          },
          "state"_a, "schema"_a, "arguments"_a)
      .def(
          "applicable",
          [](Engine& self, int64_t state, int schema, const std::vector<int>& arguments) {
            check_action(self, schema, arguments);
            const Call call(self);
            return self.applicable(check_state(self, state), schema, arguments.data());
          },
          "state"_a, "schema"_a, "arguments"_a)
      .def(
          "successor",
          [](Engine& self, int64_t state, int schema, const std::vector<int>& arguments) {
            check_action(self, schema, arguments);
            const Call call(self);
            check_state(self, state);
            require(self.applicable(state, schema, arguments.data()), "the action is not applicable");
            return self.successor(state, schema, arguments.data());
          },
          "state"_a, "schema"_a, "arguments"_a)
      .def(
          "successor_by",
          [](Engine& self, int64_t state, const Orbits& orbits, size_t orbit) {
            check_orbit(orbits, orbit);
            const Call call(self);
            return self.successor(check_state(self, state), orbits.schema_of[orbit], orbits.arguments_of(orbit));
          },
          "state"_a, "orbits"_a, "orbit"_a)
      .def(
          "cost",
          [](const Engine& self, int schema, const std::vector<int>& arguments) {
            check_action(self, schema, arguments);
            const Call call(self);
            return action_cost(self.task(), schema, arguments.data());
          },
          "schema"_a, "arguments"_a)
      .def(
          "state_of",
          [](Engine& self, const std::vector<std::pair<int, std::vector<int>>>& atoms) {
            const Call call(self);
            std::vector<AtomId> ids;
            for (const auto& [predicate, arguments] : atoms) {
              checked(predicate, self.task().predicates.size(), "no such predicate");
              const auto& declared = self.task().predicates[predicate];
              require(!declared.is_static, "static atoms belong to the task, not to a state");
              require(!declared.is_derived, "derived atoms follow from a state");
              require(static_cast<int>(arguments.size()) == declared.arity, "wrong number of arguments");
              for (int object : arguments) checked(object, self.task().object_type.size(), "no such object");
              ids.push_back(self.intern({predicate, arguments}));
            }
            return self.state_of(std::move(ids));
          },
          "atoms"_a)
      .def(
          "atoms",
          [](Engine& self, const std::vector<int64_t>& states) {
            std::vector<AtomBlock> blocks;
            {
              const Call call(self);
              std::vector<StateId> ids;
              for (int64_t state : states) ids.push_back(check_state(self, state));
              blocks = atom_blocks(self, ids);
            }
            std::vector<std::pair<Array<int>, Array<int>>> tables;
            for (size_t p = 0; p < blocks.size(); ++p) {
              const size_t arity = self.task().predicates[p].arity, count = blocks[p].state_of.size();
              tables.emplace_back(to_numpy(std::move(blocks[p].arguments), {count, arity}),
                                  to_numpy(std::move(blocks[p].state_of)));
            }
            return tables;
          },
          "states"_a, "By predicate: arguments of its atoms, and the place of each atom's state among those asked for.")
      .def(
          "static_atoms",
          [](const Engine& self) {
            std::vector<Array<int>> tables;
            for (const auto& predicate : self.task().predicates) {
              const size_t arity = predicate.arity, count = predicate.rows.size();
              std::vector<int> rows;
              for (uint32_t row = 0; row < count; ++row)
                rows.insert(rows.end(), predicate.rows.row(row), predicate.rows.row(row) + arity);
              tables.push_back(to_numpy(std::move(rows), {count, arity}));
            }
            return tables;
          },
          "By predicate; of those that are not static, none.");
}

}  // namespace

void bind_engine(nb::module_& module) {
  bind_orbits(module);
  bind_states(module);
}

}  // namespace liftq
