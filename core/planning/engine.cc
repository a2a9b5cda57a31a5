#include "planning/engine.h"

#include <algorithm>

#include "basics/sort.h"

namespace liftq {

namespace {

std::unique_ptr<Task> settled(std::unique_ptr<Task> task) {
  settle_static_axioms(*task);
  return task;
}

}  // namespace

Engine::Engine(std::unique_ptr<Task> task)
    : task_(settled(std::move(task))),
      snapshot_(*task_, table_),
      twin_finder_(*task_),
      generator_(*task_),
      axioms_(*task_, task_->strata, table_),
      join_(*task_) {
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
  is_derived_ = task_->strata.empty();
  open_state_ = state;
}

void Engine::derive(StateId state) {
  open(state);
  if (is_derived_) return;
  open_state_ = IndexSet::kNone;  // until all is derived
  axioms_.derive(snapshot_, derived_atoms_);
  is_derived_ = true;
  open_state_ = state;
}

const std::vector<AtomId>& Engine::atoms_of(StateId state) {
  open(state);
  return open_atoms_;
}

const std::vector<AtomId>& Engine::derived_atoms_of(StateId state) {
  derive(state);
  return derived_atoms_;
}

bool Engine::is_goal(StateId state) {
  derive(state);
  const auto holds = [&](AtomId atom) { return snapshot_.contains(atom); };
  return static_goal_holds_ && std::all_of(goal_positive_.begin(), goal_positive_.end(), holds) &&
         std::none_of(goal_negative_.begin(), goal_negative_.end(), holds);
}

size_t Engine::goals_left(StateId state) {
  derive(state);
  const auto holds = [&](AtomId atom) { return snapshot_.contains(atom); };
  return goal_positive_.size() - std::ranges::count_if(goal_positive_, holds) +
         std::ranges::count_if(goal_negative_, holds);
}

bool Engine::holds(StateId state, const GroundAtom& atom) {
  const auto& predicate = task_->predicates[atom.predicate];
  if (predicate.is_static) return predicate.rows.contains(atom.arguments.data());
  derive(state);
  return snapshot_.contains(atom.predicate, atom.arguments.data());
}

const Twins& Engine::twins(StateId state) {
  open(state);
  return twin_finder_.find(open_atoms_, table_);
}

void Engine::orbits(StateId state, bool compress, Orbits& orbits) {
  const Twins& twins = compress ? this->twins(state) : twin_finder_.none();
  derive(state);
  generator_.generate(snapshot_, twins, orbits);
}

bool Engine::applicable(StateId state, int schema, const int* arguments) {
  derive(state);
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

// What they add and delete in the open state.
void Engine::find_conditional_effects(const Schema& schema, const int* arguments) {
  next_adds_.clear();
  next_deletes_.clear();
  for (const ConditionalEffect& effect : schema.conditional_effects) {
    join_.run_within(effect, snapshot_, twin_finder_.none(), arguments, schema.parameter_types.size());
    for (size_t i = 0; i < join_.count(); ++i) {
      poll();
      for (const LiftedAtom& atom : effect.deletes) next_deletes_.push_back(intern(atom, join_.binding(i)));
      for (const LiftedAtom& atom : effect.adds) next_adds_.push_back(intern(atom, join_.binding(i)));
    }
  }
}

StateId Engine::successor(StateId state, int schema_index, const int* arguments) {
  const Schema& schema = task_->schemas[schema_index];
  const bool is_conditional = !schema.conditional_effects.empty();
  if (is_conditional) {
    derive(state);
    find_conditional_effects(schema, arguments);
  }
  if (open_state_ == state)
    next_atoms_ = open_atoms_;
  else
    store_.unpack(state, next_atoms_);
  poll(next_atoms_.size());
  next_hash_ = store_.hash(state);
  for (const LiftedAtom& atom : schema.deletes) remove_atom(intern(atom, arguments));
  if (is_conditional)
    for (AtomId atom : next_deletes_) remove_atom(atom);
  for (const LiftedAtom& atom : schema.adds) add_atom(intern(atom, arguments));
  if (is_conditional)
    for (AtomId atom : next_adds_) add_atom(atom);
  return store_.insert(next_atoms_, next_hash_);
}

AtomId Engine::intern(const LiftedAtom& atom, const int* binding) {
  ground_.clear();
  for (int term : atom.terms) ground_.push_back(term_value(term, binding));
  return table_.intern(atom.predicate, ground_.data(), static_cast<int>(ground_.size()));
}

}  // namespace liftq
