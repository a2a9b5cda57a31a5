#include "search/windows.h"

#include <algorithm>
#include <memory>
#include <set>

#include "basics/watch.h"
#include "heuristics/heuristics.h"
#include "planning/ground_action.h"
#include "search/orbit_search.h"
#include "search/partial_order.h"

namespace liftq {

namespace {

// What has to hold, and what must not, for the steps from `first` on to reach the goal.
struct Needs {
  Needs(Engine& engine, const std::vector<Step>& plan, size_t first) {
    for (const GroundAtom& atom : engine.task().goal_positive) add(engine, atom, holds);
    for (const GroundAtom& atom : engine.task().goal_negative) add(engine, atom, fails);
    GroundAction action;
    for (size_t i = plan.size(); i-- > first;) {
      poll(10);
      ground(engine, plan[i].schema, plan[i].arguments.data(), action);
      for (AtomId atom : action.adds) holds.erase(atom);
      for (AtomId atom : action.deletes) fails.erase(atom);
      holds.insert(action.needs.begin(), action.needs.end());
      fails.insert(action.forbids.begin(), action.forbids.end());
    }
  }

  static void add(Engine& engine, const GroundAtom& atom, std::set<AtomId>& atoms) {
    if (!engine.task().predicates[atom.predicate].is_static) atoms.insert(engine.intern(atom));
  }

  std::set<AtomId> holds, fails;
};

template <class Atoms>
std::vector<GroundAtom> named(const AtomTable& table, const Atoms& atoms) {
  std::vector<GroundAtom> result;
  for (AtomId atom : atoms) {
    const int* first = table.arguments(atom);
    result.push_back({table.predicate(atom), std::vector<int>(first, first + table.arity(atom))});
  }
  return result;
}

double cost_of(const Task& task, const std::vector<Step>& plan, size_t first, size_t last) {
  double cost = 0;
  for (size_t i = first; i < last; ++i) cost += action_cost(task, plan[i].schema, plan[i].arguments.data());
  return cost;
}

Ending search_window(Engine& engine, const std::vector<Step>& plan, size_t first, size_t last,
                     std::vector<Step>& result) {
  const Needs needs(engine, plan, last);
  auto task = std::make_unique<Task>(engine.task());
  task->initial_atoms = named(engine.atoms(), engine.atoms_of(state_after(engine, plan, first)));
  task->goal_positive = named(engine.atoms(), needs.holds);
  task->goal_negative = named(engine.atoms(), needs.fails);
  Engine inner(std::move(task));
  Heuristics heuristics(inner);
  OrbitSearch search(heuristics, cost_of(engine.task(), plan, first, last));
  const Ending ending = search.run();
  if (ending != Ending::solved) return ending;
  result.assign(plan.begin(), plan.begin() + static_cast<ptrdiff_t>(first));
  for (Step& step : search.plan()) result.push_back(std::move(step));
  result.insert(result.end(), plan.begin() + static_cast<ptrdiff_t>(last), plan.end());
  return flaw_of(engine, result) ? Ending::no_unvisited_successor : ending;
}

std::vector<Step> in_order(const std::vector<Step>& plan, const std::vector<size_t>& order) {
  std::vector<Step> result;
  for (size_t step : order) result.push_back(plan[step]);
  return result;
}

}  // namespace

Solution solve_window(Engine& engine, const std::vector<Step>& plan, size_t first, size_t last) {
  Solution solution;
  solution.ending = ending_of([&] { return search_window(engine, plan, first, last, solution.plan); });
  if (solution.ending != Ending::solved) solution.plan.clear();
  return solution;
}

std::vector<Step> gather_steps(Engine& engine, const std::vector<Step>& plan) {
  const std::vector<Step> result = in_order(plan, PartialOrder(engine, plan).depth_first());
  return flaw_of(engine, result) ? plan : result;
}

Window gather_window(Engine& engine, const std::vector<Step>& plan, const std::vector<size_t>& chosen) {
  const PartialOrder::Window window = PartialOrder(engine, plan).around(chosen);
  std::vector<Step> steps = in_order(plan, window.steps);
  if (flaw_of(engine, steps)) return {plan, 0, 0};
  return {std::move(steps), window.first, window.last};
}

}  // namespace liftq
