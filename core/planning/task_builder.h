// Assembles a task piece by piece. A reference must come after what it refers to; every number is checked.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "planning/task.h"

namespace liftq {

class TaskBuilder {
 public:
  struct Rows {  // of objects
    const int* objects;
    size_t count, arity;
  };

  TaskBuilder(std::vector<int> object_type, int num_constants)
      : task_(std::make_unique<Task>(std::move(object_type), num_constants)) {}

  int add_type(std::vector<int> objects);
  int add_predicate(int arity, bool is_static);
  int add_function(Rows arguments, std::span<const double> values);  // one value per row
  void add_initial_atoms(int predicate, Rows rows);
  void add_goal(GroundAtom atom, bool positive);
  void reject_goal() { task_->goal_is_possible = false; }
  // For goals that are not literals: the form of a goal with its objects, and a literal in it.
  void add_goal_form(int form, std::vector<int> objects);
  void add_mentioned(GroundAtom atom, bool positive);
  void add_schema(Schema schema);
  void add_conditional_effect(ConditionalEffect effect);  // of the schema that was added last
  void add_rule(size_t stratum, bool is_static, Rule rule);

  std::unique_ptr<Task> finish();  // once

 private:
  int check_object(int object) const;
  int check_predicate(int predicate) const;
  void check_atom(const GroundAtom& atom) const;
  void check_term(int term, const Condition& scope, int num_constants) const;
  void check_atoms(const std::vector<LiftedAtom>& atoms, const Condition& scope, int num_constants) const;
  void check_condition(const Condition& condition, int num_constants) const;
  template <class Use>
  void for_each_row(Rows rows, Use use) const;

  std::unique_ptr<Task> task_;
};

}  // namespace liftq
