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

struct Condition {                   // literals that hold together for some objects
  std::vector<int> parameter_types;  // of each parameter: index into Task::types
  std::vector<LiftedAtom> positive, negative;
  std::vector<Equality> equalities;
};

struct ConditionalEffect : Condition {  // its parameters begin with those of its schema
  std::vector<LiftedAtom> adds, deletes;
};

struct Schema : Condition {
  std::vector<LiftedAtom> adds, deletes;
  std::vector<ConditionalEffect> conditional_effects;
  double cost = 1;         // where no function gives it
  int cost_function = -1;  // index into Task::functions
  std::vector<int> cost_terms;
};

struct Rule : Condition {  // if the condition holds, so does the atom
  LiftedAtom head;
};
using Stratum = std::vector<Rule>;  // rules that may depend on each other

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
    bool is_static;           // the same in all states
    bool is_derived = false;  // by rules
    Relation rows;            // of a static predicate
  };
  std::deque<Predicate> predicates;
  std::deque<Function> functions;
  std::vector<Schema> schemas;
  std::vector<Stratum> strata;            // each depends on earlier ones and on itself
  std::vector<Stratum> static_strata;     // those whose atoms are the same in all states
  std::vector<GroundAtom> initial_atoms;  // of predicates that are not static
  std::vector<GroundAtom> goal_positive, goal_negative;
  bool goal_is_possible = true;  // false if an equality in the goal fails
  // A goal that is not a literal is an atom without arguments, with rules that derive it. Objects are distinguished by
  // its form (a number) and the objects in it. A network sees the literals in it.
  std::vector<GroundAtom> goal_forms;
  std::vector<GroundAtom> mentioned_positive, mentioned_negative;
};

// Whether an action needs and changes nothing but fluent atoms, the same ones in all states.
bool is_plain(const Task& task, const Schema& schema);
bool is_plain(const Task& task);  // all of its schemas and goals

template <class Visit>
void for_each_condition(const Task& task, Visit visit) {
  for (const Schema& schema : task.schemas) {
    visit(schema);
    for (const ConditionalEffect& effect : schema.conditional_effects) visit(effect);
  }
  for (const auto* strata : {&task.static_strata, &task.strata})
    for (const Stratum& stratum : *strata)
      for (const Rule& rule : stratum) visit(rule);
}

double action_cost(const Task& task, int schema, const int* arguments);

}  // namespace liftq
