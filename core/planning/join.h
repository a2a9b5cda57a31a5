// Finds all bindings of a condition's variables in a state by joining its atoms, the most selective first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "planning/snapshot.h"
#include "planning/task.h"
#include "planning/twins.h"

namespace liftq {

class Join {
 public:
  explicit Join(const Task& task);

  // Bindings up to the exchange of twins.
  void run(const Condition& condition, Snapshot& snapshot, const Twins& twins);
  // Those that begin with these objects.
  void run_within(const Condition& condition, Snapshot& snapshot, const Twins& none, const int* first, size_t count);
  // Those that match a positive atom with one of these rows of the snapshot.
  void run_with_rows(const Condition& condition, Snapshot& snapshot, const Twins& none, size_t atom, uint32_t begin,
                     uint32_t end);

  size_t count() const { return count_; }          // of bindings
  std::vector<int>& bindings() { return found_; }  // one after the other
  const int* binding(size_t index) const { return found_.data() + index * condition_->parameter_types.size(); }

 private:
  // One step binds the variables of an atom by its rows, or one parameter by the objects of its type. Then come the
  // conditions that have just become ground.
  struct Step {
    const LiftedAtom* atom = nullptr;
    int parameter = -1;                      // if there is no atom
    uint32_t bound_positions = 0;            // of the atom, before this step
    const Relation* rows = nullptr;          // of a static atom
    const Relation::Index* index = nullptr;  // of a static atom with bound positions
    uint32_t begin = 0, end = UINT32_MAX;    // rows of the snapshot that count
    std::vector<const LiftedAtom*> positive, negative;
    std::vector<const Equality*> equalities;
  };
  bool start(const Condition& condition, Snapshot& snapshot, const Twins& twins, size_t num_fixed);
  void finish();
  bool lacks_rows() const;
  void plan();
  void add_atom_step(size_t atom);
  double expected_matches(const LiftedAtom& atom) const;
  uint32_t bound_positions(const LiftedAtom& atom) const;
  bool is_ground(const LiftedAtom& atom) const;
  void add_ground_conditions(Step& step);
  Step& new_step();

  void extend(size_t depth);
  void extend_by_rows(const Step& step, size_t depth);
  void try_row(const Step& step, const int* row, size_t depth);
  bool bind(int parameter, int object);
  void unbind(int parameter);
  bool holds(const LiftedAtom& atom);
  bool conditions_hold(const Step& step);

  const Task& task_;
  Snapshot* snapshot_ = nullptr;
  const Twins* twins_ = nullptr;
  const Condition* condition_ = nullptr;
  std::vector<Step> steps_;
  size_t num_steps_ = 0;
  std::vector<uint8_t> is_bound_;  // by parameter, while planning
  std::vector<uint8_t> done_positive_, done_negative_, done_equality_;
  std::vector<int> binding_;     // by parameter, -1 if unbound
  std::vector<uint8_t> opened_;  // by parameter: whether it used a new member of its class
  std::vector<int> used_;        // by twin class: members in use
  std::vector<int> key_;
  std::vector<int> found_;
  size_t count_ = 0;
};

}  // namespace liftq
