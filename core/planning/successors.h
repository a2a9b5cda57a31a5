// Finds the applicable actions of a state by joining preconditions, the most selective first.
#pragma once

#include <cstdint>
#include <vector>

#include "planning/orbits.h"
#include "planning/snapshot.h"
#include "planning/task.h"
#include "planning/twins.h"

namespace liftq {

class SuccessorGenerator {
 public:
  explicit SuccessorGenerator(const Task& task);

  // Orbits sorted by schema and arguments, so that the order does not depend on how the state was reached.
  void generate(Snapshot& snapshot, const Twins& twins, Orbits& orbits);

  static bool applicable(const Task& task, Snapshot& snapshot, int schema, const int* arguments);

 private:
  // One step of a join binds the variables of an atom by its rows, or one parameter by the objects of its type. Then
  // come the conditions that have just become ground.
  struct Step {
    const LiftedAtom* atom = nullptr;
    int parameter = -1;                      // if there is no atom
    uint32_t bound_positions = 0;            // of the atom, before this step
    const Relation* rows = nullptr;          // of a static atom
    const Relation::Index* index = nullptr;  // of a static atom with bound positions
    std::vector<const LiftedAtom*> positive, negative;
    std::vector<const Equality*> equalities;
  };
  void add_actions(int schema, Orbits& orbits);
  bool lacks_rows(const Schema& schema) const;  // some precondition has none: nothing to join
  void plan(const Schema& schema, Snapshot& snapshot);
  double expected_matches(const LiftedAtom& atom, const Snapshot& snapshot) const;
  uint32_t bound_positions(const LiftedAtom& atom) const;
  bool is_ground(const LiftedAtom& atom) const;
  void add_ground_conditions(const Schema& schema, Step& step);
  Step& new_step();

  void extend(size_t depth);
  void extend_by_rows(const Step& step, size_t depth);
  void try_row(const Step& step, const int* row, size_t depth);
  bool bind(int parameter, int object);
  void unbind(int parameter);
  bool holds(const LiftedAtom& atom);
  bool conditions_hold(const Step& step);
  void emit();
  void sort_actions(int arity, Orbits& orbits, int schema);

  const Task& task_;
  Snapshot* snapshot_ = nullptr;
  const Twins* twins_ = nullptr;
  const Schema* schema_ = nullptr;
  std::vector<Step> steps_;
  size_t num_steps_ = 0;
  std::vector<uint8_t> is_bound_;  // by parameter, while planning
  std::vector<uint8_t> done_positive_, done_negative_, done_equality_;
  std::vector<int> binding_;     // by parameter, -1 if unbound
  std::vector<uint8_t> opened_;  // by parameter: whether it used a new member of its class
  std::vector<int> used_;        // by twin class: members in use
  std::vector<int> key_;
  std::vector<int> found_;  // arguments, one action after the other
  std::vector<int64_t> found_sizes_;
  std::vector<uint64_t> sort_keys_;
  std::vector<uint32_t> order_;
};

}  // namespace liftq
