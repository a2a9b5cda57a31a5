#include "heuristics/ground_task.h"

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "basics/sort.h"
#include "heuristics/negations.h"

namespace liftq {

namespace {

void sort_unique(std::vector<int>& items) {
  polling_sort(items);
  items.erase(std::unique(items.begin(), items.end()), items.end());
}

// Repeated static atoms may have led to the same action twice.
Actions sort_unique(const Actions& actions) {
  const auto row = [&](uint32_t action) { return actions.arguments[action]; };
  std::vector<uint32_t> order(actions.count());
  std::iota(order.begin(), order.end(), 0);
  polling_sort(order, [&](uint32_t left, uint32_t right) {
    if (actions.schema_of[left] != actions.schema_of[right]) return actions.schema_of[left] < actions.schema_of[right];
    return std::ranges::lexicographical_compare(row(left), row(right));
  });
  const auto same = [&](uint32_t left, uint32_t right) {
    return actions.schema_of[left] == actions.schema_of[right] && std::ranges::equal(row(left), row(right));
  };
  order.erase(std::unique(order.begin(), order.end(), same), order.end());
  Actions result;
  for (uint32_t action : order) {
    poll();
    result.add(actions.schema_of[action], row(action));
  }
  return result;
}

class LiteralGrounder {
 public:
  LiteralGrounder(const Task& task, const std::vector<Schema>& schemas, GroundTask& result)
      : task_(task), schemas_(schemas), result_(result) {}

  void add_action(size_t action) {
    poll();
    const Schema& schema = schemas_[result_.actions.schema_of[action]];
    const int* arguments = result_.actions.arguments_of(action);
    conditions_.clear();
    add(schema.positive, arguments, false, conditions_);
    add(schema.negative, arguments, true, conditions_);
    close(conditions_, result_.conditions);
    effects_.clear();
    deletes_.clear();
    add(schema.adds, arguments, false, effects_);
    add(schema.deletes, arguments, true, deletes_);
    for (int deleted : deletes_)  // what is both deleted and added is true in the end
      if (std::find(effects_.begin(), effects_.end(), literal(atom_of(deleted), false)) == effects_.end())
        effects_.push_back(deleted);
    close(effects_, result_.effects);
  }

  void add_goal(const GroundAtom& atom, bool negated) {
    const auto& predicate = task_.predicates[atom.predicate];
    const AtomId found = predicate.is_static
                             ? AtomTable::kNone
                             : result_.atoms.find(atom.predicate, atom.arguments.data(), predicate.arity);
    if (found != AtomTable::kNone)
      result_.goal.push_back(literal(found, negated));
    else if ((predicate.is_static && predicate.rows.contains(atom.arguments.data())) == negated)
      result_.goal_is_possible = false;
  }

 private:
  void add(const std::vector<LiftedAtom>& lifted, const int* arguments, bool negated, std::vector<int>& literals) {
    for (const LiftedAtom& atom : lifted) {
      if (task_.predicates[atom.predicate].is_static) continue;
      key_.clear();
      for (int term : atom.terms) key_.push_back(term_value(term, arguments));
      const AtomId found = result_.atoms.find(atom.predicate, key_.data(), static_cast<int>(key_.size()));
      if (found != AtomTable::kNone) literals.push_back(literal(found, negated));
    }
  }

  static void close(std::vector<int>& literals, Lists<>& lists) {
    sort_unique(literals);
    lists.append(literals);
  }

  const Task& task_;
  const std::vector<Schema>& schemas_;
  GroundTask& result_;
  std::vector<int> conditions_, effects_, deletes_, key_;
};

}  // namespace

GroundTask ground(const Task& task, const RelaxedSchemas& relaxed, const AtomTable& seeds, uint64_t most_steps) {
  GroundTask result;
  {
    const Grounder grounder(task, relaxed.schemas, seeds, most_steps);
    result.atoms = grounder.atoms();
    result.actions = sort_unique(grounder.actions());
    result.steps = grounder.steps();
  }
  result.goal_is_possible = task.goal_is_possible;
  LiteralGrounder literals(task, relaxed.schemas, result);
  for (size_t action = 0; action < result.actions.count(); ++action) literals.add_action(action);
  for (const GroundAtom& atom : task.goal_positive) literals.add_goal(atom, false);
  for (const GroundAtom& atom : task.goal_negative) literals.add_goal(atom, true);
  sort_unique(result.goal);
  if (!task.strata.empty()) add_negations(relaxed, task.num_predicates(), result);
  return result;
}

}  // namespace liftq
