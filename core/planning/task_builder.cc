#include "planning/task_builder.h"

#include <algorithm>

#include "basics/checks.h"

namespace liftq {

int TaskBuilder::check_object(int object) const { return checked(object, task_->object_type.size(), "unknown object"); }

int TaskBuilder::check_predicate(int predicate) const {
  return checked(predicate, task_->predicates.size(), "unknown predicate");
}

void TaskBuilder::check_atom(const GroundAtom& atom) const {
  require(static_cast<int>(atom.arguments.size()) == task_->predicates[check_predicate(atom.predicate)].arity,
          "wrong number of arguments");
  for (int object : atom.arguments) check_object(object);
}

void TaskBuilder::check_term(int term, const Condition& scope, int num_constants) const {
  if (term < 0)
    checked(~term, num_constants, "unknown constant");
  else
    checked(term, scope.parameter_types.size(), "unknown parameter");
}

void TaskBuilder::check_atoms(const std::vector<LiftedAtom>& atoms, const Condition& scope, int num_constants) const {
  for (const auto& [predicate, terms] : atoms) {
    require(static_cast<int>(terms.size()) == task_->predicates[check_predicate(predicate)].arity,
            "wrong number of arguments in a schema");
    for (int term : terms) check_term(term, scope, num_constants);
  }
}

void TaskBuilder::check_condition(const Condition& condition, int num_constants) const {
  for (int type : condition.parameter_types) checked(type, task_->types.size(), "unknown type");
  for (const auto* atoms : {&condition.positive, &condition.negative}) check_atoms(*atoms, condition, num_constants);
  for (const Equality& equality : condition.equalities) {
    check_term(equality.left, condition, num_constants);
    check_term(equality.right, condition, num_constants);
  }
}

template <class Use>
void TaskBuilder::for_each_row(Rows rows, Use use) const {
  const int* row = rows.objects;
  for (size_t i = 0; i < rows.count; ++i, row += rows.arity) {
    for (size_t j = 0; j < rows.arity; ++j) check_object(row[j]);
    use(row);
  }
}

int TaskBuilder::add_type(std::vector<int> objects) {
  std::vector<uint8_t> contains(task_->num_objects(), 0);
  for (int object : objects) contains[check_object(object)] = 1;
  task_->types.push_back({std::move(objects), std::move(contains)});
  return static_cast<int>(task_->types.size()) - 1;
}

int TaskBuilder::add_predicate(int arity, bool is_static) {
  require(arity >= 0 && arity < 32, "a predicate has at most 31 arguments");
  task_->predicates.emplace_back(arity, is_static);
  return task_->num_predicates() - 1;
}

int TaskBuilder::add_function(Rows arguments, std::span<const double> values) {
  require(arguments.arity < 32, "a function has at most 31 arguments");
  require(arguments.count == values.size(), "one value per row");
  Function& function = task_->functions.emplace_back(static_cast<int>(arguments.arity));
  for_each_row(arguments, [&](const int* row) { function.arguments.add(row); });
  function.values.assign(values.begin(), values.end());
  return static_cast<int>(task_->functions.size()) - 1;
}

void TaskBuilder::add_initial_atoms(int predicate_index, Rows rows) {
  auto& predicate = task_->predicates[check_predicate(predicate_index)];
  require(static_cast<int>(rows.arity) == predicate.arity, "wrong number of arguments");
  for_each_row(rows, [&](const int* row) {
    if (predicate.is_static)
      predicate.rows.add(row);
    else
      task_->initial_atoms.push_back({predicate_index, std::vector<int>(row, row + predicate.arity)});
  });
}

void TaskBuilder::add_goal(GroundAtom atom, bool positive) {
  check_atom(atom);
  (positive ? task_->goal_positive : task_->goal_negative).push_back(std::move(atom));
}

void TaskBuilder::add_goal_form(int form, std::vector<int> objects) {
  for (int object : objects) check_object(object);
  task_->goal_forms.push_back({form, std::move(objects)});
}

void TaskBuilder::add_mentioned(GroundAtom atom, bool positive) {
  check_atom(atom);
  (positive ? task_->mentioned_positive : task_->mentioned_negative).push_back(std::move(atom));
}

void TaskBuilder::add_schema(Schema schema) {
  check_condition(schema, task_->num_constants);
  for (const auto* atoms : {&schema.adds, &schema.deletes}) check_atoms(*atoms, schema, task_->num_constants);
  if (schema.cost_function >= 0) {
    checked(schema.cost_function, task_->functions.size(), "unknown function");
    require(static_cast<int>(schema.cost_terms.size()) == task_->functions[schema.cost_function].arguments.arity(),
            "wrong number of arguments of a function");
  }
  for (int term : schema.cost_terms) check_term(term, schema, task_->num_constants);
  task_->schemas.push_back(std::move(schema));
}

void TaskBuilder::add_conditional_effect(ConditionalEffect effect) {
  require(!task_->schemas.empty(), "a conditional effect without a schema");
  const std::vector<int>& own = task_->schemas.back().parameter_types;
  require(
      effect.parameter_types.size() >= own.size() && std::equal(own.begin(), own.end(), effect.parameter_types.begin()),
      "a conditional effect has the parameters of its schema");
  check_condition(effect, task_->num_constants);
  for (const auto* atoms : {&effect.adds, &effect.deletes}) check_atoms(*atoms, effect, task_->num_constants);
  task_->schemas.back().conditional_effects.push_back(std::move(effect));
}

// Unlike schemas, rules may name any object: those for the goal of a problem do.
void TaskBuilder::add_rule(size_t stratum, bool is_static, Rule rule) {
  check_condition(rule, task_->num_objects());
  check_atoms({rule.head}, rule, task_->num_objects());
  require(stratum < 10'000, "too many strata");
  task_->predicates[rule.head.predicate].is_derived = true;
  auto& strata = is_static ? task_->static_strata : task_->strata;
  if (strata.size() <= stratum) strata.resize(stratum + 1);
  strata[stratum].push_back(std::move(rule));
}

std::unique_ptr<Task> TaskBuilder::finish() {
  require(task_ != nullptr, "finish was called before");
  return std::move(task_);
}

}  // namespace liftq
