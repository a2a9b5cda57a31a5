#include "planning/engine.h"

#include <algorithm>

#include "basics/sort.h"

namespace liftq {

Engine::Engine(std::unique_ptr<Task> task)
    : task_(std::move(task)), snapshot_(*task_, table_), twin_finder_(*task_), generator_(*task_) {
  std::vector<AtomId> initial;
  for (const GroundAtom& atom : task_->initial_atoms) {
    poll();
    initial.push_back(intern(atom));
  }
  initial_state_ = state_of(std::move(initial));
  static_goal_holds_ = task_->goal_is_possible;
  const auto split_goal = [&](const std::vector<GroundAtom>& goal, bool positive, std::vector<AtomId>& fluents) {
    for (const GroundAtom& atom : goal) {
      poll();
      const auto& predicate = task_->predicates[atom.predicate];
      if (!predicate.is_static)
        fluents.push_back(intern(atom));
      else if (predicate.rows.contains(atom.arguments.data()) != positive)
        static_goal_holds_ = false;
    }
    std::sort(fluents.begin(), fluents.end());
  };
  split_goal(task_->goal_positive, true, goal_positive_);
  split_goal(task_->goal_negative, false, goal_negative_);
}

AtomId Engine::intern(const GroundAtom& atom) {
  return table_.intern(atom.predicate, atom.arguments.data(), static_cast<int>(atom.arguments.size()));
}

StateId Engine::state_of(std::vector<AtomId> atoms) {
  polling_sort(atoms);
  atoms.erase(std::unique(atoms.begin(), atoms.end()), atoms.end());
  uint64_t hash = 0;
  for (AtomId atom : atoms) hash += table_.hash(atom);
  return store_.insert(atoms, hash);
}

void Engine::open(StateId state) {
  if (open_state_ == state) return;
  open_state_ = IndexSet::kNone;  // until this one is open as a whole
  store_.unpack(state, open_atoms_);
  snapshot_.load(open_atoms_);
  open_state_ = state;
}

const std::vector<AtomId>& Engine::atoms_of(StateId state) {
  open(state);
  return open_atoms_;
}

bool Engine::is_goal(StateId state) {
  open(state);
  const auto holds = [&](AtomId atom) { return snapshot_.contains(atom); };
  return static_goal_holds_ && std::all_of(goal_positive_.begin(), goal_positive_.end(), holds) &&
         std::none_of(goal_negative_.begin(), goal_negative_.end(), holds);
}

bool Engine::holds(StateId state, const GroundAtom& atom) {
  const auto& predicate = task_->predicates[atom.predicate];
  if (predicate.is_static) return predicate.rows.contains(atom.arguments.data());
  open(state);
  return snapshot_.contains(atom.predicate, atom.arguments.data());
}

const Twins& Engine::twins(StateId state) {
  open(state);
  return twin_finder_.find(open_atoms_, table_);
}

void Engine::orbits(StateId state, bool compress, Orbits& orbits) {
  const Twins& twins = compress ? this->twins(state) : twin_finder_.none();
  open(state);
  generator_.generate(snapshot_, twins, orbits);
}

bool Engine::applicable(StateId state, int schema, const int* arguments) {
  open(state);
  return SuccessorGenerator::applicable(*task_, snapshot_, schema, arguments);
}

void Engine::add_atom(AtomId atom) {
  const auto place = std::lower_bound(next_atoms_.begin(), next_atoms_.end(), atom);
  if (place != next_atoms_.end() && *place == atom) return;
  next_atoms_.insert(place, atom);
  next_hash_ += table_.hash(atom);
}

void Engine::remove_atom(AtomId atom) {
  const auto place = std::lower_bound(next_atoms_.begin(), next_atoms_.end(), atom);
  if (place == next_atoms_.end() || *place != atom) return;
  next_atoms_.erase(place);
  next_hash_ -= table_.hash(atom);
}

StateId Engine::successor(StateId state, int schema_index, const int* arguments) {
  if (open_state_ == state)
    next_atoms_ = open_atoms_;
  else
    store_.unpack(state, next_atoms_);
  poll(next_atoms_.size());
  next_hash_ = store_.hash(state);
  const Schema& schema = task_->schemas[schema_index];
  const auto ground = [&](const LiftedAtom& atom) {
    ground_.clear();
    for (int term : atom.terms) ground_.push_back(term_value(term, arguments));
    return table_.intern(atom.predicate, ground_.data(), static_cast<int>(ground_.size()));
  };
  for (const LiftedAtom& atom : schema.deletes) remove_atom(ground(atom));
  for (const LiftedAtom& atom : schema.adds) add_atom(ground(atom));
  return store_.insert(next_atoms_, next_hash_);
}

}  // namespace liftq
