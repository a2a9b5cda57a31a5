// Relaxed reachability: which atoms and actions can be reached if nothing is ever deleted. Static and equality
// conditions are tested; negative conditions on other atoms are assumed to hold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <vector>

#include "planning/actions.h"
#include "planning/atom_table.h"
#include "planning/task.h"

namespace liftq {

constexpr uint64_t kAnyEffort = std::numeric_limits<uint64_t>::max();

class TooLargeToGround : public std::exception {
 public:
  const char* what() const noexcept override { return "the task is too large to ground"; }
};

// Atoms are reached one by one. Each is joined, at every precondition that it fits, with the atoms reached before it,
// so that every action is created exactly once: when the last of its preconditions is reached.
class Grounder {
 public:
  // Throws TooLargeToGround after this many steps (bindings tried), which depend on the task alone.
  Grounder(const Task& task, const std::vector<Schema>& schemas, const AtomTable& seeds, uint64_t most_steps);

  const AtomTable& atoms() const { return atoms_; }  // starts with the seeds
  const Actions& actions() const { return actions_; }
  uint64_t steps() const { return steps_; }

 private:
  struct Use {  // of a predicate, as a precondition
    int schema, position;
  };
  struct Matches {  // rows that agree with the binding: a list of numbers, or successive numbers
    uint32_t count;
    const uint32_t* rows;
    uint32_t first;
    uint32_t operator[](uint32_t i) const { return rows ? rows[i] : first + i; }
  };

  void count_step();
  void reach(AtomId atom);
  void start_join(int schema);
  void extend(size_t depth);
  void try_row(const LiftedAtom& atom, const int* row, size_t depth);
  bool unify(const LiftedAtom& atom, const int* row, uint32_t& newly_bound);
  void unbind(const LiftedAtom& atom, uint32_t newly_bound);
  void bind_parameters(size_t parameter);
  void emit();

  Matches matches(const LiftedAtom& atom);
  Matches static_matches(const Relation& rows, uint32_t bound_positions) const;
  Matches fluent_matches(int predicate, uint32_t bound_positions) const;
  bool conditions_hold();
  bool is_bound(int term) const { return term < 0 || binding_[term] >= 0; }
  bool fits(int parameter, int object) const;
  const std::vector<AtomId>& reached_with(int predicate, int position, int object) const {
    return reached_with_[first_slot_[predicate] + static_cast<size_t>(position) * task_.num_objects() + object];
  }

  const Task& task_;
  const std::vector<Schema>& schemas_;
  AtomTable atoms_;  // numbered in order of discovery: a queue as well
  Actions actions_;
  std::vector<std::vector<Use>> uses_;             // by predicate
  std::vector<std::vector<AtomId>> reached_;       // by predicate
  std::vector<size_t> first_slot_;                 // by predicate, into `reached_with_`
  std::vector<std::vector<AtomId>> reached_with_;  // by predicate, position and object

  uint64_t steps_ = 0, most_steps_;
  int schema_ = 0;
  AtomId current_ = 0;         // the atom being joined
  int current_position_ = -1;  // the precondition that it was put in
  std::vector<int> order_;     // preconditions: those joined come first
  std::vector<int> binding_;   // by parameter, -1 if unbound
  std::vector<int> key_;       // scratch: arguments of an atom
};

}  // namespace liftq
