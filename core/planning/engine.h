// The states of a task, their applicable actions as orbits, and their successors. One engine serves one thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "planning/atom_table.h"
#include "planning/axioms.h"
#include "planning/join.h"
#include "planning/orbits.h"
#include "planning/snapshot.h"
#include "planning/state_store.h"
#include "planning/successors.h"
#include "planning/task.h"
#include "planning/twins.h"

namespace liftq {

class Engine {
 public:
  explicit Engine(std::unique_ptr<Task> task);
  Engine(const Engine&) = delete;

  mutable std::atomic_flag in_use;  // set while a thread is at work here

  const Task& task() const { return *task_; }
  const AtomTable& atoms() const { return table_; }
  const StateStore& states() const { return store_; }

  StateId initial_state() const { return initial_state_; }
  StateId state_of(std::vector<AtomId> atoms);  // in any order
  AtomId intern(const GroundAtom& atom);
  const std::vector<AtomId>& atoms_of(StateId state);          // sorted; valid until the next call
  const std::vector<AtomId>& derived_atoms_of(StateId state);  // by axioms; valid until the next call
  bool is_goal(StateId state);
  size_t goals_left(StateId state);  // fluent literals of the goal that do not hold
  bool holds(StateId state, const GroundAtom& atom);

  void orbits(StateId state, bool compress, Orbits& orbits);
  const Twins& twins(StateId state);                                         // valid until the next call
  const Twins& static_twins() const { return twin_finder_.static_twins(); }  // whatever the state is
  const Twins& no_twins() const { return twin_finder_.none(); }
  bool applicable(StateId state, int schema, const int* arguments);
  StateId successor(StateId state, int schema, const int* arguments);  // of an applicable action

 private:
  void open(StateId state);
  void derive(StateId state);  // opens it with its derived atoms
  void find_conditional_effects(const Schema& schema, const int* arguments);
  AtomId intern(const LiftedAtom& atom, const int* binding);
  void add_atom(AtomId atom);
  void remove_atom(AtomId atom);

  std::unique_ptr<Task> task_;
  AtomTable table_;
  StateStore store_;
  Snapshot snapshot_;
  TwinFinder twin_finder_;
  SuccessorGenerator generator_;
  Axioms axioms_;
  Join join_;  // of conditional effects
  StateId initial_state_;
  std::vector<AtomId> goal_positive_, goal_negative_;
  bool static_goal_holds_;
  StateId open_state_ = IndexSet::kNone;  // the one in open_atoms_ and snapshot_
  std::vector<AtomId> open_atoms_;
  bool is_derived_ = false;  // whether derived_atoms_ are in the snapshot
  std::vector<AtomId> derived_atoms_;
  std::vector<AtomId> next_atoms_;  // scratch of successor
  uint64_t next_hash_ = 0;
  std::vector<AtomId> next_adds_, next_deletes_;  // of conditional effects
  std::vector<int> ground_;                       // scratch: arguments of an effect
};

}  // namespace liftq
