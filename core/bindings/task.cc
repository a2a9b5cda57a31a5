// Tasks for Python: pieces go in, an engine comes out.
#include "planning/task.h"

#include <nanobind/stl/unique_ptr.h>

#include <memory>
#include <tuple>

#include "bindings/bindings.h"
#include "planning/task_builder.h"

using namespace nanobind::literals;

namespace liftq {
namespace {

using Rows = nb::ndarray<const int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Doubles = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Atoms = std::vector<std::pair<int, std::vector<int>>>;
using Equalities = std::vector<std::tuple<int, int, bool>>;

TaskBuilder::Rows rows_of(const Rows& array) { return {array.data(), array.shape(0), array.shape(1)}; }

std::vector<LiftedAtom> lifted(const Atoms& atoms) {
  std::vector<LiftedAtom> result;
  for (const auto& [predicate, terms] : atoms) result.push_back({predicate, terms});
  return result;
}

void set_condition(Condition& condition, const std::vector<int>& parameter_types, const Atoms& positive,
                   const Atoms& negative, const Equalities& equalities) {
  condition.parameter_types = parameter_types;
  condition.positive = lifted(positive);
  condition.negative = lifted(negative);
  for (const auto& [left, right, equal] : equalities) condition.equalities.push_back({left, right, equal});
}

void add_schema(TaskBuilder& self, const std::vector<int>& parameter_types, const Atoms& positive,
                const Atoms& negative, const Equalities& equalities, const Atoms& adds, const Atoms& deletes,
                double cost, int cost_function, const std::vector<int>& cost_terms) {
  Schema schema;
  set_condition(schema, parameter_types, positive, negative, equalities);
  schema.adds = lifted(adds);
  schema.deletes = lifted(deletes);
  schema.cost = cost;
  schema.cost_function = cost_function;
  schema.cost_terms = cost_terms;
  self.add_schema(std::move(schema));
}

void add_conditional_effect(TaskBuilder& self, const std::vector<int>& parameter_types, const Atoms& positive,
                            const Atoms& negative, const Equalities& equalities, const Atoms& adds,
                            const Atoms& deletes) {
  ConditionalEffect effect;
  set_condition(effect, parameter_types, positive, negative, equalities);
  effect.adds = lifted(adds);
  effect.deletes = lifted(deletes);
  self.add_conditional_effect(std::move(effect));
}

void add_rule(TaskBuilder& self, size_t stratum, bool is_static, const std::vector<int>& parameter_types,
              const Atoms& positive, const Atoms& negative, const Equalities& equalities,
              const std::pair<int, std::vector<int>>& head) {
  Rule rule;
  set_condition(rule, parameter_types, positive, negative, equalities);
  rule.head = {head.first, head.second};
  self.add_rule(stratum, is_static, std::move(rule));
}

std::unique_ptr<Engine> finish(TaskBuilder& self) {
  const Metered metered;
  const nb::gil_scoped_release release;
  return std::make_unique<Engine>(self.finish());
}

}  // namespace

void bind_task(nb::module_& module) {
  nb::class_<TaskBuilder>(module, "TaskBuilder", "Puts a task together; what refers to something comes after it.")
      .def(nb::init<std::vector<int>, int>(), "object_type"_a, "num_constants"_a)
      .def("add_type", &TaskBuilder::add_type, "objects"_a)
      .def("add_predicate", &TaskBuilder::add_predicate, "arity"_a, "is_static"_a)
      .def(
          "add_function",
          [](TaskBuilder& self, const Rows& arguments, const Doubles& values) {
            return self.add_function(rows_of(arguments), {values.data(), values.shape(0)});
          },
          "arguments"_a, "values"_a)
      .def(
          "add_initial_atoms",
          [](TaskBuilder& self, int predicate, const Rows& rows) { self.add_initial_atoms(predicate, rows_of(rows)); },
          "predicate"_a, "rows"_a)
      .def(
          "add_goal",
          [](TaskBuilder& self, int predicate, const std::vector<int>& arguments, bool positive) {
            self.add_goal({predicate, arguments}, positive);
          },
          "predicate"_a, "arguments"_a, "positive"_a)
      .def("reject_goal", &TaskBuilder::reject_goal)
      .def("add_schema", &add_schema, "parameter_types"_a, "positive"_a, "negative"_a, "equalities"_a, "adds"_a,
           "deletes"_a, "cost"_a, "cost_function"_a, "cost_terms"_a)
      .def("add_conditional_effect", &add_conditional_effect, "parameter_types"_a, "positive"_a, "negative"_a,
           "equalities"_a, "adds"_a, "deletes"_a)
      .def("add_rule", &add_rule, "stratum"_a, "is_static"_a, "parameter_types"_a, "positive"_a, "negative"_a,
           "equalities"_a, "head"_a)
      .def("add_goal_form", &TaskBuilder::add_goal_form, "form"_a, "objects"_a)
      .def(
          "add_mentioned",
          [](TaskBuilder& self, int predicate, const std::vector<int>& arguments, bool positive) {
            self.add_mentioned({predicate, arguments}, positive);
          },
          "predicate"_a, "arguments"_a, "positive"_a)
      .def("finish", &finish);
}

}  // namespace liftq
