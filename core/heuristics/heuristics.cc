#include "heuristics/heuristics.h"

#include <algorithm>
#include <limits>

namespace liftq {

namespace {
constexpr AtomId kNotLookedUp = AtomTable::kNone - 1;
}

Heuristics::Heuristics(Engine& engine) : engine_(engine) {
  const AtomTable& table = engine.atoms();
  for (AtomId atom : engine.atoms_of(engine.initial_state()))
    seeds_.intern(table.predicate(atom), table.arguments(atom), table.arity(atom));
  is_certain_.assign(seeds_.size(), 1);
  ground();
}

void Heuristics::ground() {
  lm_cut_.reset();
  additive_.reset();
  relaxation_.reset();  // so that a grounding that is stopped is begun again
  auto relaxation = std::make_unique<Relaxation>(relax(engine_.task(), seeds_, is_certain_));
  number_here_.clear();
  stamp_of_.assign(relaxation->atoms.size(), 0);
  lm_cut_ = std::make_unique<LmCut>(*relaxation);
  additive_ = std::make_unique<Additive>(*relaxation);
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
  if (!relaxation_) return false;
  ++stamp_;
  propositions_.clear();
  size_t num_always_holds = 0;
  for (AtomId atom : engine_.atoms_of(state)) {
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

void Heuristics::open(StateId state) {
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
  ground();
  read(state);
}

template <class Evaluate>
double Heuristics::value(StateId state, Evaluate evaluate) {
  open(state);
  const int64_t units = relaxation_->solvable ? evaluate() : LmCut::kInfinite;
  static_assert(LmCut::kInfinite == Additive::kInfinite);
  if (units == LmCut::kInfinite) return std::numeric_limits<double>::infinity();
  return static_cast<double>(units) / relaxation_->units_per_cost;
}

double Heuristics::h_max(StateId state) {
  return value(state, [&] { return lm_cut_->h_max(propositions_); });
}

double Heuristics::lm_cut(StateId state) {
  return value(state, [&] { return lm_cut_->lm_cut(propositions_); });
}

double Heuristics::h_add(StateId state) {
  return value(state, [&] { return additive_->h_add(propositions_); });
}

double Heuristics::h_ff(StateId state) {
  return value(state, [&] { return additive_->h_ff(propositions_); });
}

std::vector<Heuristics::Landmark> Heuristics::landmarks(StateId state) {
  std::vector<Cut> cuts;
  value(state, [&] { return lm_cut_->lm_cut(propositions_, &cuts); });
  const GroundActions& actions = relaxation_->actions;
  std::vector<Landmark> result;
  for (const Cut& cut : cuts) {
    Landmark& landmark = result.emplace_back();
    landmark.cost = cut.cost / relaxation_->units_per_cost;
    for (int op : cut.operators)
      landmark.actions.add(actions.schema_of[op], actions.arguments_of(op), actions.arguments_of(op + 1));
  }
  return result;
}

}  // namespace liftq
