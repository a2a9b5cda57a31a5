#include "relaxation.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <span>
#include <stdexcept>

namespace liftq {

namespace {

// A literal is an atom's number doubled, plus one for its negation.
int literal(AtomId atom, bool negated) { return static_cast<int>(atom) * 2 + negated; }
AtomId atom_of(int literal) { return static_cast<AtomId>(literal) / 2; }
bool is_negated(int literal) { return literal & 1; }

void sort_unique(std::vector<int>& items) {
  std::sort(items.begin(), items.end());
  items.erase(std::unique(items.begin(), items.end()), items.end());
}

bool contains(std::span<const int> sorted, int item) { return std::binary_search(sorted.begin(), sorted.end(), item); }

class Relaxer {
 public:
  Relaxer(const Task& task, const AtomTable& seeds, const std::vector<uint8_t>& is_certain);
  Relaxation relax();

 private:
  void sort_actions();
  void ground_literals(const std::vector<LiftedAtom>& atoms, const int* arguments, bool negated,
                       std::vector<int>& literals);
  void ground_action(uint32_t action);
  void ground_goal();
  void find_what_changes();
  void simplify();
  void mark_reached();
  void mark_relevant();
  bool goal_is_reached() const;
  void number_propositions(Relaxation& result) const;
  void add_operators(Relaxation& result) const;
  void set_costs(std::span<const double> costs, Relaxation& result) const;

  const Task& task_;
  Grounder grounder_;
  const AtomTable& atoms_;
  size_t num_seeds_;
  std::vector<uint8_t> is_certain_;  // by atom
  std::vector<uint32_t> actions_;    // sorted by schema and arguments
  Lists conditions_, effects_;       // by action as sorted: literals, each list sorted
  std::vector<int> goal_;            // literals
  bool goal_is_possible_;
  std::vector<uint8_t> always_holds_;                            // by atom
  std::vector<uint8_t> is_wanted_;                               // by literal: occurs in some condition or the goal
  std::vector<uint8_t> is_reached_;                              // by literal
  std::vector<uint8_t> is_relevant_;                             // by literal
  std::vector<uint8_t> is_usable_;                               // by action as sorted
  std::vector<int> positive_, negative_, adds_, deletes_, key_;  // scratch
};

Relaxer::Relaxer(const Task& task, const AtomTable& seeds, const std::vector<uint8_t>& is_certain)
    : task_(task),
      grounder_(task, seeds),
      atoms_(grounder_.atoms()),
      num_seeds_(seeds.size()),
      is_certain_(is_certain),
      goal_is_possible_(task.goal_is_possible) {
  is_certain_.resize(atoms_.size(), 0);
}

Relaxation Relaxer::relax() {
  sort_actions();
  for (uint32_t action : actions_) ground_action(action);
  ground_goal();
  find_what_changes();
  simplify();
  mark_reached();
  mark_relevant();
  Relaxation result;
  result.solvable = goal_is_possible_ && goal_is_reached();
  number_propositions(result);
  add_operators(result);
  return result;
}

// By schema and arguments, so that values do not depend on the order of discovery. Repeated static atoms may have led
// to the same action twice.
void Relaxer::sort_actions() {
  const GroundActions& actions = grounder_.actions();
  const auto row = [&](uint32_t action) {
    return std::span(actions.arguments_of(action), actions.arguments_of(action + 1));
  };
  actions_.resize(actions.count());
  std::iota(actions_.begin(), actions_.end(), 0);
  std::sort(actions_.begin(), actions_.end(), [&](uint32_t left, uint32_t right) {
    if (actions.schema_of[left] != actions.schema_of[right]) return actions.schema_of[left] < actions.schema_of[right];
    return std::ranges::lexicographical_compare(row(left), row(right));
  });
  const auto same = [&](uint32_t left, uint32_t right) {
    return actions.schema_of[left] == actions.schema_of[right] && std::ranges::equal(row(left), row(right));
  };
  actions_.erase(std::unique(actions_.begin(), actions_.end(), same), actions_.end());
}

// Atoms that no state can hold are left out.
void Relaxer::ground_literals(const std::vector<LiftedAtom>& lifted, const int* arguments, bool negated,
                              std::vector<int>& literals) {
  literals.clear();
  for (const LiftedAtom& atom : lifted) {
    if (task_.predicates[atom.predicate].is_static) continue;
    key_.clear();
    for (int term : atom.terms) key_.push_back(term_value(term, arguments));
    const AtomId found = atoms_.find(atom.predicate, key_.data(), static_cast<int>(key_.size()));
    if (found != AtomTable::kNone) literals.push_back(literal(found, negated));
  }
}

void Relaxer::ground_action(uint32_t action) {
  const Schema& schema = task_.schemas[grounder_.actions().schema_of[action]];
  const int* arguments = grounder_.actions().arguments_of(action);
  ground_literals(schema.positive, arguments, false, positive_);
  ground_literals(schema.negative, arguments, true, negative_);
  ground_literals(schema.adds, arguments, false, adds_);
  ground_literals(schema.deletes, arguments, true, deletes_);
  positive_.insert(positive_.end(), negative_.begin(), negative_.end());
  sort_unique(positive_);
  for (int condition : positive_) conditions_.add(condition);
  conditions_.close();
  // What is deleted and added is true in the end.
  for (int deleted : deletes_)
    if (std::find(adds_.begin(), adds_.end(), literal(atom_of(deleted), false)) == adds_.end())
      adds_.push_back(deleted);
  sort_unique(adds_);
  for (int effect : adds_) effects_.add(effect);
  effects_.close();
}

void Relaxer::ground_goal() {
  const auto add = [&](const GroundAtom& atom, bool negated) {
    const auto& predicate = task_.predicates[atom.predicate];
    const AtomId found =
        predicate.is_static ? AtomTable::kNone : atoms_.find(atom.predicate, atom.arguments.data(), predicate.arity);
    if (found != AtomTable::kNone)
      goal_.push_back(literal(found, negated));
    else if ((predicate.is_static && predicate.rows.contains(atom.arguments.data())) == negated)
      goal_is_possible_ = false;
  };
  for (const GroundAtom& atom : task_.goal_positive) add(atom, false);
  for (const GroundAtom& atom : task_.goal_negative) add(atom, true);
  sort_unique(goal_);
}

void Relaxer::find_what_changes() {
  always_holds_ = is_certain_;
  is_wanted_.assign(atoms_.size() * 2, 0);
  for (size_t action = 0; action < actions_.size(); ++action) {
    for (int effect : effects_[action])
      if (is_negated(effect)) always_holds_[atom_of(effect)] = 0;
    for (int condition : conditions_[action]) is_wanted_[condition] = 1;
  }
  for (int wanted : goal_) is_wanted_[wanted] = 1;
}

// Drops conditions that always hold, effects that nobody wants, effects that were conditions already, and actions whose
// conditions can never hold together.
void Relaxer::simplify() {
  const auto holds = [&](int literal) { return !is_negated(literal) && always_holds_[atom_of(literal)]; };
  const auto fails = [&](int literal) { return is_negated(literal) && always_holds_[atom_of(literal)]; };
  const auto is_impossible = [&](std::span<const int> sorted) {
    const auto is_contradiction = [](int left, int right) { return right == left + 1 && is_negated(right); };
    return std::any_of(sorted.begin(), sorted.end(), fails) ||
           std::adjacent_find(sorted.begin(), sorted.end(), is_contradiction) != sorted.end();
  };
  Lists conditions, effects;
  is_usable_.resize(actions_.size());
  for (size_t action = 0; action < actions_.size(); ++action) {
    is_usable_[action] = !is_impossible(conditions_[action]);
    for (int condition : conditions_[action])
      if (!holds(condition)) conditions.add(condition);
    conditions.close();
    for (int effect : effects_[action])
      if (is_wanted_[effect] && !holds(effect) && !contains(conditions_[action], effect)) effects.add(effect);
    effects.close();
  }
  conditions_ = std::move(conditions);
  effects_ = std::move(effects);
  if (is_impossible(goal_)) goal_is_possible_ = false;
  std::erase_if(goal_, holds);
}

// The grounder took negative conditions for granted; here their literals must be reached as well.
void Relaxer::mark_reached() {
  std::vector<int> queue;
  is_reached_.assign(atoms_.size() * 2, 0);
  const auto reach = [&](int literal) {
    if (!is_reached_[literal]) queue.push_back(literal);
    is_reached_[literal] = 1;
  };
  for (AtomId atom = 0; atom < atoms_.size(); ++atom) {
    if (atom < num_seeds_) reach(literal(atom, false));
    if (!is_certain_[atom]) reach(literal(atom, true));
  }
  const Lists condition_of = conditions_.inverse(atoms_.size() * 2);
  std::vector<uint32_t> missing(actions_.size());
  const auto apply = [&](size_t action) {
    if (is_usable_[action])
      for (int effect : effects_[action]) reach(effect);
  };
  for (size_t action = 0; action < actions_.size(); ++action) {
    missing[action] = static_cast<uint32_t>(conditions_[action].size());
    if (missing[action] == 0) apply(action);
  }
  for (size_t next = 0; next < queue.size(); ++next)
    for (int action : condition_of[queue[next]])
      if (--missing[action] == 0) apply(action);
  for (size_t action = 0; action < actions_.size(); ++action)
    if (missing[action] > 0) is_usable_[action] = 0;
}

void Relaxer::mark_relevant() {
  is_relevant_.assign(atoms_.size() * 2, 0);
  std::vector<int> queue;
  const auto want = [&](int literal) {
    if (!is_relevant_[literal]) queue.push_back(literal);
    is_relevant_[literal] = 1;
  };
  for (int goal : goal_) want(goal);
  const Lists effect_of = effects_.inverse(atoms_.size() * 2);
  std::vector<uint8_t> is_relevant_action(actions_.size(), 0);
  for (size_t next = 0; next < queue.size(); ++next) {
    for (int action : effect_of[queue[next]]) {
      if (!is_usable_[action] || is_relevant_action[action]) continue;
      is_relevant_action[action] = 1;
      for (int condition : conditions_[action]) want(condition);
    }
  }
  is_usable_ = std::move(is_relevant_action);
}

bool Relaxer::goal_is_reached() const {
  return std::all_of(goal_.begin(), goal_.end(), [&](int literal) { return is_reached_[literal]; });
}

// In the order of predicates and arguments, p before not-p. The artificial goal and truth come last.
void Relaxer::number_propositions(Relaxation& result) const {
  std::vector<AtomId> order(atoms_.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](AtomId left, AtomId right) {
    if (atoms_.predicate(left) != atoms_.predicate(right)) return atoms_.predicate(left) < atoms_.predicate(right);
    return std::lexicographical_compare(atoms_.arguments(left), atoms_.arguments(left) + atoms_.arity(left),
                                        atoms_.arguments(right), atoms_.arguments(right) + atoms_.arity(right));
  });
  result.atoms = atoms_;
  result.always_holds = always_holds_;
  result.num_always_holds = std::count(always_holds_.begin(), always_holds_.end(), 1);
  result.proposition_of.assign(atoms_.size(), Relaxation::kNone);
  int count = 0;
  for (AtomId atom : order) {
    if (is_relevant_[literal(atom, false)]) result.proposition_of[atom] = count++;
    if (is_relevant_[literal(atom, true)]) result.absences.emplace_back(atom, count++);
  }
}

void Relaxer::add_operators(Relaxation& result) const {
  std::vector<int> proposition_of(atoms_.size() * 2, Relaxation::kNone);  // by literal
  int count = static_cast<int>(result.absences.size());
  for (AtomId atom = 0; atom < atoms_.size(); ++atom) {
    proposition_of[literal(atom, false)] = result.proposition_of[atom];
    count += result.proposition_of[atom] != Relaxation::kNone;
  }
  for (const auto& [atom, proposition] : result.absences) proposition_of[literal(atom, true)] = proposition;
  const int goal = count++, truth = count++;
  std::vector<int> propositions;
  const auto add = [&](std::span<const int> literals, Lists& lists) {
    propositions.clear();
    for (int literal : literals)
      if (proposition_of[literal] != Relaxation::kNone) propositions.push_back(proposition_of[literal]);
    if (propositions.empty()) propositions.push_back(truth);
    std::sort(propositions.begin(), propositions.end());
    for (int proposition : propositions) lists.add(proposition);
    lists.close();
  };
  std::vector<double> costs;
  const GroundActions& actions = grounder_.actions();
  for (size_t i = 0; i < actions_.size(); ++i) {
    if (!is_usable_[i]) continue;
    add(conditions_[i], result.preconditions);
    add(effects_[i], result.effects);
    const int schema = actions.schema_of[actions_[i]];
    const int *first = actions.arguments_of(actions_[i]), *last = actions.arguments_of(actions_[i] + 1);
    costs.push_back(action_cost(task_, schema, first));
    result.actions.add(schema, first, last);
  }
  add(goal_, result.preconditions);
  result.effects.add(goal);
  result.effects.close();
  result.precondition_of = result.preconditions.inverse(count);
  result.effect_of = result.effects.inverse(count);
  set_costs(costs, result);
}

// Costs become whole numbers: as they are, or in the smallest power of ten that fits all of them. What is finer still,
// or too large for 32 bits, is rounded down, which keeps lower bounds lower bounds.
void Relaxer::set_costs(std::span<const double> costs, Relaxation& result) const {
  double most = 0;
  for (double cost : costs) {
    if (!(cost >= 0) || std::isinf(cost)) throw std::domain_error("heuristics need action costs of at least 0");
    most = std::max(most, cost);
  }
  // No cheapest path to a proposition repeats a proposition or an action.
  const double longest = most * static_cast<double>(std::min(costs.size(), result.precondition_of.count()));
  constexpr double kLimit = 1 << 30;
  if (longest > kLimit) throw std::domain_error("action costs are too large for heuristics");
  const auto is_whole = [&](double cost) {
    const double units = cost * result.units_per_cost;
    return std::abs(units - std::round(units)) < 1e-9 * std::max(1.0, units);
  };
  while (result.units_per_cost < 1e6 && longest * result.units_per_cost * 10 <= kLimit &&
         !std::all_of(costs.begin(), costs.end(), is_whole))
    result.units_per_cost *= 10;
  for (double cost : costs)
    result.costs.push_back(static_cast<int>(is_whole(cost) ? std::round(cost * result.units_per_cost)
                                                           : std::floor(cost * result.units_per_cost)));
  result.costs.push_back(0);
}

}  // namespace

Relaxation relax(const Task& task, const AtomTable& seeds, const std::vector<uint8_t>& is_certain) {
  return Relaxer(task, seeds, is_certain).relax();
}

}  // namespace liftq
