// The engine for Python. Everything that comes in is checked here, so that the core may trust its numbers.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>

#include "bindings/bindings.h"
#include "planning/atom_tables.h"
#include "planning/engine.h"

using namespace nanobind::literals;

namespace liftq {
namespace {

using Ints = nb::ndarray<const int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Rows = nb::ndarray<const int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Doubles = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

using LiftedAtoms = std::vector<std::pair<int, std::vector<int>>>;

// Collects a task; `finish` turns it into an engine.
class Builder {
 public:
  Builder(std::vector<int> object_type, int num_constants)
      : task_(std::make_unique<Task>(std::move(object_type), num_constants)) {}

  int add_type(const std::vector<int>& objects) {
    ObjectSet set{objects, std::vector<uint8_t>(task_->num_objects(), 0)};
    for (int object : objects) set.contains[check_object(object)] = 1;
    task_->types.push_back(std::move(set));
    return static_cast<int>(task_->types.size()) - 1;
  }

  int add_predicate(int arity, bool is_static) {
    require(arity >= 0 && arity < 32, "a predicate has at most 31 arguments");
    task_->predicates.emplace_back(arity, is_static);
    return task_->num_predicates() - 1;
  }

  int add_function(Rows arguments, Doubles values) {
    require(arguments.shape(1) < 32, "a function has at most 31 arguments");
    require(arguments.shape(0) == values.shape(0), "one value per row");
    Function& function = task_->functions.emplace_back(static_cast<int>(arguments.shape(1)));
    for_each_row(arguments, [&](const int* row) { function.arguments.add(row); });
    function.values.assign(values.data(), values.data() + values.shape(0));
    return static_cast<int>(task_->functions.size()) - 1;
  }

  void add_initial_atoms(int predicate_index, Rows rows) {
    auto& predicate = task_->predicates[check_predicate(predicate_index)];
    require(static_cast<int>(rows.shape(1)) == predicate.arity, "wrong number of arguments");
    for_each_row(rows, [&](const int* row) {
      if (predicate.is_static)
        predicate.rows.add(row);
      else
        task_->initial_atoms.push_back({predicate_index, std::vector<int>(row, row + predicate.arity)});
    });
  }

  void add_goal(int predicate, const std::vector<int>& arguments, bool positive) {
    require(static_cast<int>(arguments.size()) == task_->predicates[check_predicate(predicate)].arity,
            "wrong number of arguments");
    for (int object : arguments) check_object(object);
    (positive ? task_->goal_positive : task_->goal_negative).push_back({predicate, arguments});
  }

  void reject_goal() { task_->goal_is_possible = false; }

  void add_schema(const std::vector<int>& parameter_types, const LiftedAtoms& positive, const LiftedAtoms& negative,
                  const std::vector<std::tuple<int, int, bool>>& equalities, const LiftedAtoms& adds,
                  const LiftedAtoms& deletes, double cost, int cost_function, const std::vector<int>& cost_terms) {
    Schema schema;
    for (int type : parameter_types) checked(type, task_->types.size(), "unknown type");
    schema.parameter_types = parameter_types;
    schema.positive = lifted(positive, schema);
    schema.negative = lifted(negative, schema);
    schema.adds = lifted(adds, schema);
    schema.deletes = lifted(deletes, schema);
    for (const auto& [left, right, equal] : equalities)
      schema.equalities.push_back({check_term(left, schema), check_term(right, schema), equal});
    schema.cost = cost;
    if (cost_function >= 0) {
      checked(cost_function, task_->functions.size(), "unknown function");
      require(static_cast<int>(cost_terms.size()) == task_->functions[cost_function].arguments.arity(),
              "wrong number of arguments of a function");
    }
    schema.cost_function = cost_function;
    for (int term : cost_terms) schema.cost_terms.push_back(check_term(term, schema));
    task_->schemas.push_back(std::move(schema));
  }

  std::unique_ptr<Engine> finish() {
    require(task_ != nullptr, "finish was called before");
    const Metered metered;
    const nb::gil_scoped_release release;
    return std::make_unique<Engine>(std::move(task_));
  }

 private:
  int check_object(int object) const { return checked(object, task_->object_type.size(), "unknown object"); }
  int check_predicate(int predicate) const { return checked(predicate, task_->predicates.size(), "unknown predicate"); }
  int check_term(int term, const Schema& schema) const {
    if (term < 0)
      checked(~term, task_->num_constants, "unknown constant");
    else
      checked(term, schema.parameter_types.size(), "unknown parameter");
    return term;
  }

  template <class Use>
  void for_each_row(const Rows& rows, Use use) const {
    const int* row = rows.data();
    for (size_t i = 0; i < rows.shape(0); ++i, row += rows.shape(1)) {
      for (size_t j = 0; j < rows.shape(1); ++j) check_object(row[j]);
      use(row);
    }
  }

  std::vector<LiftedAtom> lifted(const LiftedAtoms& atoms, const Schema& schema) const {
    std::vector<LiftedAtom> result;
    for (const auto& [predicate, terms] : atoms) {
      require(static_cast<int>(terms.size()) == task_->predicates[check_predicate(predicate)].arity,
              "wrong number of arguments in a schema");
      for (int term : terms) check_term(term, schema);
      result.push_back({predicate, terms});
    }
    return result;
  }

  std::unique_ptr<Task> task_;
};

void check_orbit(const Orbits& orbits, size_t orbit) {
  if (orbit >= orbits.count()) throw std::out_of_range("no such candidate");
}

void bind_orbits(nb::module_& module) {
  nb::class_<Orbits>(module, "Orbits", "Applicable actions of a state up to twins, sorted by schema and arguments.")
      .def("__len__", &Orbits::count)
      .def_prop_ro(
          "schema_of", [](const Orbits& self) { return view(self.schema_of); }, "by orbit")
      .def_prop_ro(
          "first_argument", [](const Orbits& self) { return view(self.arguments.starts()); },
          "by orbit, into `arguments`, with one past the end")
      .def_prop_ro(
          "arguments", [](const Orbits& self) { return view(self.arguments.items()); }, "objects, flat")
      .def_prop_ro(
          "sizes", [](const Orbits& self) { return view(self.sizes); }, "actions in each orbit")
      .def("action",
           [](const Orbits& self, size_t orbit) {
             check_orbit(self, orbit);
             const int* arguments = self.arguments_of(orbit);
             return std::pair(self.schema_of[orbit], std::vector<int>(arguments, arguments + self.arity_of(orbit)));
           })
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

void bind_engine(nb::module_& module) {
  nb::class_<Engine>(module, "Engine", "States, orbits and successors of one task; one engine per thread.")
      .def_prop_ro("initial_state", &Engine::initial_state)
      .def_prop_ro("num_states", [](const Engine& self) { return self.states().size(); })
      .def_prop_ro("state_bytes", [](const Engine& self) { return self.states().bytes(); })
      .def("is_goal",
           [](Engine& self, int64_t state) {
             const Call call(self);
             return self.is_goal(check_state(self, state));
           })
      .def("hash",
           [](const Engine& self, int64_t state) {
             const Call call(self);
             return self.states().hash(check_state(self, state));
           })
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
      .def("members",
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
           })
      .def("twin_classes",
           [](Engine& self, int64_t state) {
             std::vector<int> classes;
             {
               const Call call(self);
               classes = self.twins(check_state(self, state)).class_of;
             }
             return to_numpy(std::move(classes));
           })
      .def("representative",
           [](Engine& self, int64_t state, int schema, std::vector<int> arguments) {
             check_action(self, schema, arguments);
             const Call call(self);
             canonicalize(self.twins(check_state(self, state)), arguments.data(), static_cast<int>(arguments.size()));
             return arguments;
           })
      .def("applicable",
           [](Engine& self, int64_t state, int schema, const std::vector<int>& arguments) {
             check_action(self, schema, arguments);
             const Call call(self);
             return self.applicable(check_state(self, state), schema, arguments.data());
           })
      .def("successor",
           [](Engine& self, int64_t state, int schema, const std::vector<int>& arguments) {
             check_action(self, schema, arguments);
             const Call call(self);
             check_state(self, state);
             require(self.applicable(state, schema, arguments.data()), "the action is not applicable");
             return self.successor(state, schema, arguments.data());
           })
      .def("successor_by",
           [](Engine& self, int64_t state, const Orbits& orbits, size_t orbit) {
             check_orbit(orbits, orbit);
             const Call call(self);
             return self.successor(check_state(self, state), orbits.schema_of[orbit], orbits.arguments_of(orbit));
           })
      .def("cost",
           [](const Engine& self, int schema, const std::vector<int>& arguments) {
             check_action(self, schema, arguments);
             const Call call(self);
             return action_cost(self.task(), schema, arguments.data());
           })
      .def("state_of",
           [](Engine& self, const std::vector<std::pair<int, std::vector<int>>>& atoms) {
             const Call call(self);
             std::vector<AtomId> ids;
             for (const auto& [predicate, arguments] : atoms) {
               checked(predicate, self.task().predicates.size(), "no such predicate");
               const auto& declared = self.task().predicates[predicate];
               require(!declared.is_static, "static atoms belong to the task, not to a state");
               require(static_cast<int>(arguments.size()) == declared.arity, "wrong number of arguments");
               for (int object : arguments) checked(object, self.task().object_type.size(), "no such object");
               ids.push_back(self.intern({predicate, arguments}));
             }
             return self.state_of(std::move(ids));
           })
      .def("atoms",
           [](Engine& self, const std::vector<int64_t>& states) {
             std::vector<AtomBlock> blocks;
             {
               const Call call(self);
               std::vector<StateId> ids;
               for (int64_t state : states) ids.push_back(check_state(self, state));
               blocks = atom_blocks(self, ids);
             }
             nb::list tables;
             for (size_t p = 0; p < blocks.size(); ++p) {
               const size_t arity = self.task().predicates[p].arity, count = blocks[p].state_of.size();
               tables.append(nb::make_tuple(to_numpy(std::move(blocks[p].arguments), {count, arity}),
                                            to_numpy(std::move(blocks[p].state_of))));
             }
             return tables;
           })
      .def("static_atoms", [](const Engine& self) {
        nb::list tables;
        for (const auto& predicate : self.task().predicates) {
          const size_t arity = predicate.arity, count = predicate.rows.size();
          std::vector<int> rows;
          for (uint32_t row = 0; row < count; ++row)
            rows.insert(rows.end(), predicate.rows.row(row), predicate.rows.row(row) + arity);
          tables.append(to_numpy(std::move(rows), {count, arity}));
        }
        return tables;
      });
}

}  // namespace
}  // namespace liftq

NB_MODULE(_core, module) {
  using namespace liftq;
  bind_watch(module);
  bind_orbits(module);
  bind_engine(module);
  bind_heuristics(module);
  bind_graph(module);
  bind_policy(module);
  bind_search(module);
  nb::class_<Builder>(module, "Builder")
      .def(nb::init<std::vector<int>, int>(), "object_type"_a, "num_constants"_a)
      .def("add_type", &Builder::add_type)
      .def("add_predicate", &Builder::add_predicate)
      .def("add_function", &Builder::add_function)
      .def("add_initial_atoms", &Builder::add_initial_atoms)
      .def("add_goal", &Builder::add_goal)
      .def("reject_goal", &Builder::reject_goal)
      .def("add_schema", &Builder::add_schema)
      .def("finish", &Builder::finish);
}
