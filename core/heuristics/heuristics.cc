#include "heuristics/heuristics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>

#include "heuristics/additive_costs.h"
#include "heuristics/lm_cut.h"

namespace liftq {

namespace {
constexpr AtomId kNotLookedUp = AtomTable::kNone - 1;
}

Heuristics::Heuristics(Engine& engine, Costs costs, uint64_t most_steps)
    : engine_(engine), costs_(costs), most_steps_(most_steps) {
  const AtomTable& table = engine.atoms();
  for (AtomId atom : engine.atoms_of(engine.initial_state()))
    seeds_.intern(table.predicate(atom), table.arguments(atom), table.arity(atom));
  is_certain_.assign(seeds_.size(), 1);
}

const Relaxation& Heuristics::relaxation() {
  if (!relaxation_) ground(kAnyEffort);
  return *relaxation_;
}

void Heuristics::ground(uint64_t most_steps) {
  heuristics_.clear();
  relaxed_plans_.reset();
  relaxation_.reset();  // so that a grounding that is stopped is begun again
  auto relaxation = std::make_unique<Relaxation>(relax(engine_.task(), seeds_, is_certain_, costs_, most_steps));
  number_here_.clear();
  stamp_of_.assign(relaxation->atoms.size(), 0);
  relaxation_ = std::move(relaxation);
}

AtomId Heuristics::number_here(AtomId atom) {
  const AtomTable& table = engine_.atoms();
  if (atom >= number_here_.size()) number_here_.resize(table.size(), kNotLookedUp);
  AtomId& number = number_here_[atom];
  if (number == kNotLookedUp)
    number = relaxation_->atoms.find(table.predicate(atom), table.arguments(atom), table.arity(atom));
  return number;
}

bool Heuristics::read(StateId state) {
  ++stamp_;
  propositions_.clear();
  size_t num_always_holds = 0;
  for (const auto* atoms : {&engine_.derived_atoms_of(state), &engine_.atoms_of(state)})
    for (AtomId atom : *atoms) {
      const AtomId number = number_here(atom);
      if (number == AtomTable::kNone) return false;
      stamp_of_[number] = stamp_;
      num_always_holds += relaxation_->always_holds[number];
      const int proposition = relaxation_->proposition_of[number];
      if (proposition != Relaxation::kNone) propositions_.push_back(proposition);
    }
  if (num_always_holds < relaxation_->num_always_holds) return false;
  for (const auto& [atom, proposition] : relaxation_->absences)
    if (stamp_of_[atom] != stamp_) propositions_.push_back(proposition);
  std::sort(propositions_.begin(), propositions_.end());
  return true;
}

void Heuristics::open(StateId state, uint64_t most_steps) {
  if (!relaxation_) ground(most_steps);
  if (read(state)) return;
  const AtomTable& table = engine_.atoms();
  is_certain_.resize(seeds_.size(), 0);
  std::vector<uint8_t> holds(seeds_.size(), 0);
  for (AtomId atom : engine_.atoms_of(state)) {
    const AtomId seed = seeds_.intern(table.predicate(atom), table.arguments(atom), table.arity(atom));
    if (seed < holds.size()) holds[seed] = 1;
  }
  for (size_t seed = 0; seed < holds.size(); ++seed) is_certain_[seed] &= holds[seed];
  is_certain_.resize(seeds_.size(), 0);
  ground(most_steps);
  read(state);
}

Heuristic& Heuristics::heuristic(const HeuristicKind& kind) {
  auto& heuristic = heuristics_[&kind];
  if (!heuristic) heuristic = kind.make(*relaxation_);
  return *heuristic;
}

std::span<const int> Heuristics::propositions(StateId state) {
  open(state);
  return propositions_;
}

double Heuristics::value(const HeuristicKind& kind, StateId state) {
  open(state);
  const int64_t units = relaxation_->solvable ? heuristic(kind).value(propositions_) : Heuristic::kInfinite;
  if (units == Heuristic::kInfinite) return std::numeric_limits<double>::infinity();
  return static_cast<double>(units) / relaxation_->units_per_cost;
}

Actions Heuristics::relaxed_plan(const HeuristicKind& kind, StateId state) {
  Actions result;
  if (std::isinf(value(kind, state))) return result;
  add_actions(heuristic(kind).relaxed_plan(), result);
  return result;
}

Heuristics::Verdict Heuristics::find_relaxed_plans(StateId state) {
  relaxed_actions_.clear();
  if (is_too_large_) return Verdict::is_too_large;
  try {
    open(state, most_steps_);
    is_too_large_ = relaxation_->steps > most_steps_;  // others may have taken more
    if (!is_too_large_ && !relaxed_plans_) relaxed_plans_.emplace(*relaxation_);
  } catch (const TooLargeToGround&) {
    is_too_large_ = true;
  } catch (const std::bad_alloc&) {  // networks can do without
    is_too_large_ = true;
  }
  if (is_too_large_) return Verdict::is_too_large;
  if (!relaxation_->solvable || !relaxed_plans_->find(propositions_)) return Verdict::is_dead_end;
  relaxed_actions_.assign(relaxed_plans_->actions().begin(), relaxed_plans_->actions().end());
  const Actions& actions = relaxation_->actions;
  std::ranges::sort(relaxed_actions_, [&](int left, int right) { return actions.is_before(left, actions, right); });
  return Verdict::has_relaxed_plans;
}

std::vector<Heuristics::Landmark> Heuristics::landmarks(StateId state) {
  std::vector<Cut> cuts;
  open(state);
  if (relaxation_->solvable) LmCut(*relaxation_).add_cuts(propositions_, &cuts);
  std::vector<Landmark> result;
  for (const Cut& cut : cuts) {
    Landmark& landmark = result.emplace_back();
    landmark.cost = cut.cost / relaxation_->units_per_cost;
    add_actions(cut.operators, landmark.actions);
  }
  return result;
}

std::vector<Heuristics::Condition> Heuristics::conditions(StateId state, std::span<const int> predicates) {
  std::vector<Condition> result;
  open(state);
  if (!relaxation_->solvable) return result;
  AdditiveCosts costs(*relaxation_);  // afresh: what is known beyond the goals shall not depend on earlier states
  costs.explore(propositions_);
  const AtomTable& atoms = relaxation_->atoms;
  const auto add = [&](AtomId atom, int proposition, bool positive) {
    if (proposition == Relaxation::kNone || costs.cost(proposition) == AdditiveCosts::kUnreached) return;
    if (std::ranges::find(predicates, atoms.predicate(atom)) == predicates.end()) return;
    const int* arguments = atoms.arguments(atom);
    result.push_back({atoms.predicate(atom),
                      {arguments, arguments + atoms.arity(atom)},
                      positive,
                      costs.cost(proposition) / relaxation_->units_per_cost});
  };
  for (AtomId atom = 0; atom < atoms.size(); ++atom) add(atom, relaxation_->proposition_of[atom], true);
  for (const auto& [atom, proposition] : relaxation_->absences) add(atom, proposition, false);
  return result;
}

// Once, though several operators may stand for it.
void Heuristics::add_actions(std::span<const int> operators, Actions& result) const {
  const Actions& actions = relaxation_->actions;
  std::vector<uint8_t> is_added(actions.count(), 0);
  for (int op : operators) {
    const int action = relaxation_->action_of[op];
    if (action < 0 || is_added[action]) continue;
    is_added[action] = 1;
    result.add(actions.schema_of[action], actions.arguments[action]);
  }
}

}  // namespace liftq
