#include "heuristics/relaxation.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include "basics/sort.h"
#include "heuristics/cost_units.h"
#include "heuristics/ground_task.h"

namespace liftq {

Lists<> inverse(const Lists<>& lists, size_t num_items) {
  Lists<> result;
  result.group(num_items, [&](auto add) {
    for (size_t list = 0; list < lists.count(); ++list) {
      poll(lists[list].size());
      for (int item : lists[list]) add(static_cast<size_t>(item), static_cast<int>(list));
    }
  });
  return result;
}

namespace {

class Relaxer {
 public:
  Relaxer(const Task& task, const AtomTable& seeds, const std::vector<uint8_t>& is_certain, Costs costs,
          uint64_t most_steps)
      : task_(task),
        costs_(costs),
        relaxed_(task),
        ground_(ground(task, relaxed_, seeds, most_steps)),
        num_seeds_(seeds.size()),
        is_certain_(is_certain) {
    is_certain_.resize(ground_.atoms.size(), 0);
  }
  Relaxation relax();

 private:
  bool always_holds(int literal) const { return !is_negated(literal) && always_holds_[atom_of(literal)]; }
  bool is_impossible(std::span<const int> literals) const;
  void find_what_changes();
  void simplify();
  void mark_reached();
  void mark_relevant();
  bool goal_is_reached() const;
  void number_propositions(Relaxation& result) const;
  std::vector<int> propositions_by_literal(const Relaxation& result) const;
  void add_operators(Relaxation& result) const;
  int add_action(size_t op, AtomTable& numbers, Actions& actions) const;
  void set_costs(Relaxation& result) const;

  const Task& task_;
  Costs costs_;
  RelaxedSchemas relaxed_;
  GroundTask ground_;
  size_t num_seeds_;
  std::vector<uint8_t> is_certain_;    // by atom
  std::vector<uint8_t> always_holds_;  // by atom
  std::vector<uint8_t> is_wanted_;     // by literal: occurs in some condition or the goal
  std::vector<uint8_t> is_reached_;    // by literal
  std::vector<uint8_t> is_relevant_;   // by literal
  std::vector<uint8_t> is_usable_;     // by action
};

Relaxation Relaxer::relax() {
  find_what_changes();
  simplify();
  mark_reached();
  mark_relevant();
  Relaxation result;
  result.steps = ground_.steps;
  result.solvable = ground_.goal_is_possible && goal_is_reached();
  number_propositions(result);
  add_operators(result);
  set_costs(result);
  result.atoms = std::move(ground_.atoms);
  return result;
}

void Relaxer::find_what_changes() {
  always_holds_ = is_certain_;
  is_wanted_.assign(ground_.num_literals(), 0);
  for (size_t action = 0; action < ground_.actions.count(); ++action) {
    poll();
    for (int effect : ground_.effects[action])
      if (is_negated(effect)) always_holds_[atom_of(effect)] = 0;
    for (int condition : ground_.conditions[action]) is_wanted_[condition] = 1;
  }
  for (int wanted : ground_.goal) is_wanted_[wanted] = 1;
}

// Whether these literals, in increasing order, can never hold together.
bool Relaxer::is_impossible(std::span<const int> literals) const {
  const auto fails = [&](int literal) { return is_negated(literal) && always_holds_[atom_of(literal)]; };
  const auto is_contradiction = [](int left, int right) { return atom_of(left) == atom_of(right); };
  return std::ranges::any_of(literals, fails) ||
         std::ranges::adjacent_find(literals, is_contradiction) != literals.end();
}

// Drops conditions that always hold, effects that nobody wants, effects that were conditions already, and actions whose
// conditions can never hold together.
void Relaxer::simplify() {
  Lists<> conditions, effects;
  is_usable_.resize(ground_.actions.count());
  for (size_t action = 0; action < ground_.actions.count(); ++action) {
    poll();
    const std::span<const int> before = ground_.conditions[action];
    is_usable_[action] = !is_impossible(before);
    for (int condition : before)
      if (!always_holds(condition)) conditions.add(condition);
    conditions.close();
    for (int effect : ground_.effects[action])
      if (is_wanted_[effect] && !always_holds(effect) && !std::ranges::binary_search(before, effect))
        effects.add(effect);
    effects.close();
  }
  ground_.conditions = std::move(conditions);
  ground_.effects = std::move(effects);
  if (is_impossible(ground_.goal)) ground_.goal_is_possible = false;
  std::erase_if(ground_.goal, [&](int literal) { return always_holds(literal); });
}

// The grounder took negative conditions for granted; here their literals must be reached as well.
void Relaxer::mark_reached() {
  std::vector<int> queue;
  is_reached_.assign(ground_.num_literals(), 0);
  const auto reach = [&](int literal) {
    if (!is_reached_[literal]) queue.push_back(literal);
    is_reached_[literal] = 1;
  };
  for (AtomId atom = 0; atom < ground_.atoms.size(); ++atom) {
    if (atom < num_seeds_) reach(literal(atom, false));
    if (!is_certain_[atom]) reach(literal(atom, true));
  }
  const Lists<> condition_of = inverse(ground_.conditions, ground_.num_literals());
  std::vector<size_t> num_missing(ground_.actions.count());
  const auto apply = [&](size_t action) {
    if (is_usable_[action])
      for (int effect : ground_.effects[action]) reach(effect);
  };
  for (size_t action = 0; action < num_missing.size(); ++action) {
    num_missing[action] = ground_.conditions[action].size();
    if (num_missing[action] == 0) apply(action);
  }
  for (size_t next = 0; next < queue.size(); ++next) {
    poll(condition_of[queue[next]].size());
    for (int action : condition_of[queue[next]])
      if (--num_missing[action] == 0) apply(action);
  }
  for (size_t action = 0; action < num_missing.size(); ++action)
    if (num_missing[action] > 0) is_usable_[action] = 0;
}

void Relaxer::mark_relevant() {
  std::vector<int> queue;
  is_relevant_.assign(ground_.num_literals(), 0);
  const auto want = [&](int literal) {
    if (!is_relevant_[literal]) queue.push_back(literal);
    is_relevant_[literal] = 1;
  };
  for (int goal : ground_.goal) want(goal);
  const Lists<> effect_of = inverse(ground_.effects, ground_.num_literals());
  std::vector<uint8_t> is_relevant_action(ground_.actions.count(), 0);
  for (size_t next = 0; next < queue.size(); ++next) {
    poll(effect_of[queue[next]].size());
    for (int action : effect_of[queue[next]]) {
      if (!is_usable_[action] || is_relevant_action[action]) continue;
      is_relevant_action[action] = 1;
      for (int condition : ground_.conditions[action]) want(condition);
    }
  }
  is_usable_ = std::move(is_relevant_action);
}

bool Relaxer::goal_is_reached() const {
  return std::ranges::all_of(ground_.goal, [&](int literal) { return is_reached_[literal]; });
}

// In the order of predicates and arguments, p before not-p.
void Relaxer::number_propositions(Relaxation& result) const {
  const AtomTable& atoms = ground_.atoms;
  const auto row = [&](AtomId atom) {
    return std::span(atoms.arguments(atom), static_cast<size_t>(atoms.arity(atom)));
  };
  std::vector<AtomId> order(atoms.size());
  std::iota(order.begin(), order.end(), 0);
  polling_sort(order, [&](AtomId left, AtomId right) {
    if (atoms.predicate(left) != atoms.predicate(right)) return atoms.predicate(left) < atoms.predicate(right);
    return std::ranges::lexicographical_compare(row(left), row(right));
  });
  result.always_holds = always_holds_;
  result.num_always_holds = std::ranges::count(always_holds_, 1);
  result.proposition_of.assign(atoms.size(), Relaxation::kNone);
  int count = 0;
  for (AtomId atom : order) {
    if (is_relevant_[literal(atom, false)]) result.proposition_of[atom] = count++;
    if (is_relevant_[literal(atom, true)]) result.absences.emplace_back(atom, count++);
  }
}

std::vector<int> Relaxer::propositions_by_literal(const Relaxation& result) const {
  std::vector<int> propositions(ground_.num_literals(), Relaxation::kNone);
  for (AtomId atom = 0; atom < ground_.atoms.size(); ++atom)
    propositions[literal(atom, false)] = result.proposition_of[atom];
  for (const auto& [atom, proposition] : result.absences) propositions[literal(atom, true)] = proposition;
  return propositions;
}

void Relaxer::add_operators(Relaxation& result) const {
  const std::vector<int> proposition_of = propositions_by_literal(result);
  const auto count = static_cast<int>(std::ranges::count(is_relevant_, 1));
  const int goal = count, truth = count + 1;
  std::vector<int> propositions;
  const auto add = [&](std::span<const int> literals, Lists<>& lists) {
    propositions.clear();
    for (int literal : literals)
      if (proposition_of[literal] != Relaxation::kNone) propositions.push_back(proposition_of[literal]);
    if (propositions.empty()) propositions.push_back(truth);
    std::sort(propositions.begin(), propositions.end());
    lists.append(propositions);
  };
  AtomTable numbers;  // of actions, as if they were atoms
  for (size_t op = 0; op < ground_.actions.count(); ++op) {
    poll();
    if (!is_usable_[op]) continue;
    add(ground_.conditions[op], result.preconditions);
    add(ground_.effects[op], result.effects);
    result.action_of.push_back(add_action(op, numbers, result.actions));
  }
  result.action_of.push_back(Relaxation::kNone);
  add(ground_.goal, result.preconditions);
  result.effects.add(goal);
  result.effects.close();
  result.precondition_of = inverse(result.preconditions, count + 2);
  result.effect_of = inverse(result.effects, count + 2);
}

int Relaxer::add_action(size_t op, AtomTable& numbers, Actions& actions) const {
  const int schema = ground_.actions.schema_of[op];
  const int own = schema < 0 ? Relaxation::kNone : relaxed_.action_of[schema];
  if (own < 0) return Relaxation::kNone;
  const int arity = static_cast<int>(task_.schemas[own].parameter_types.size());
  const int* arguments = ground_.actions.arguments_of(op);
  const AtomId number = numbers.intern(own, arguments, arity);
  if (number == actions.count()) actions.add(own, {arguments, static_cast<size_t>(arity)});
  return static_cast<int>(number);
}

void Relaxer::set_costs(Relaxation& result) const {
  std::vector<double> costs;  // by action
  for (size_t action = 0; action < result.actions.count(); ++action) {
    poll();
    const Actions& actions = result.actions;
    costs.push_back(costs_ == Costs::one ? 1
                                         : action_cost(task_, actions.schema_of[action], actions.arguments_of(action)));
  }
  // No cheapest path to a proposition repeats a proposition or an operator.
  const CostUnits units = count_units(costs, std::min(result.action_of.size() - 1, result.num_propositions()));
  for (int action : result.action_of) result.costs.push_back(action < 0 ? 0 : units.costs[action]);
  result.operators_of.group(result.actions.count(), [&](auto add) {
    for (size_t op = 0; op < result.action_of.size(); ++op)
      if (result.action_of[op] >= 0) add(static_cast<size_t>(result.action_of[op]), static_cast<int>(op));
  });
  result.units_per_cost = units.units_per_cost;
}

}  // namespace

Relaxation relax(const Task& task, const AtomTable& seeds, const std::vector<uint8_t>& is_certain, Costs costs,
                 uint64_t most_steps) {
  return Relaxer(task, seeds, is_certain, costs, most_steps).relax();
}

}  // namespace liftq
