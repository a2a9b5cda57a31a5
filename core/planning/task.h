// A lifted planning task in numbers: objects, predicates, schemas, static rows, initial atoms and goal.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "planning/relation.h"

namespace liftq {

// A term is a parameter of the schema (>= 0) or an object (stored as its complement, < 0).
inline int term_value(int term, const int* binding) { return term < 0 ? ~term : binding[term]; }

struct LiftedAtom {
  int predicate;
  std::vector<int> terms;
};

struct Equality {
  int left, right;  // terms
  bool equal;       // or required to differ
};

struct Schema {
  std::vector<int> parameter_types;  // of each parameter: index into Task::types
  std::vector<LiftedAtom> positive, negative, adds, deletes;
  std::vector<Equality> equalities;
  double cost = 1;         // where no function gives it
  int cost_function = -1;  // index into Task::functions
  std::vector<int> cost_terms;
};

struct ObjectSet {  // the objects that a parameter's type admits
  std::vector<int> objects;
  std::vector<uint8_t> contains;  // by object
};

struct Function {
  explicit Function(int arity) : arguments(arity) {}
  Relation arguments;
  std::vector<double> values;  // by row of `arguments`
};

struct GroundAtom {
  int predicate;
  std::vector<int> arguments;
};

struct Task {
  explicit Task(std::vector<int> object_type, int num_constants)
      : object_type(std::move(object_type)), num_constants(num_constants) {}

  int num_objects() const { return static_cast<int>(object_type.size()); }
  int num_predicates() const { return static_cast<int>(predicates.size()); }

  std::vector<int> object_type;  // by object: any number that is equal for objects of equal declared type
  int num_constants;             // objects 0..num_constants-1 may occur in schemas
  std::deque<ObjectSet> types;
  struct Predicate {
    explicit Predicate(int arity, bool is_static) : arity(arity), is_static(is_static), rows(arity) {}
    int arity;
    bool is_static;  // no schema changes it
    Relation rows;   // of a static predicate
  };
  std::deque<Predicate> predicates;
  std::deque<Function> functions;
  std::vector<Schema> schemas;
  std::vector<GroundAtom> initial_atoms;  // of predicates that are not static
  std::vector<GroundAtom> goal_positive, goal_negative;
  bool goal_is_possible = true;  // false if an equality in the goal fails
};

double action_cost(const Task& task, int schema, const int* arguments);

}  // namespace liftq
