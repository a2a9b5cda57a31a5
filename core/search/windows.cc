#include "search/windows.h"

#include <algorithm>
#include <memory>
#include <set>
#include <unordered_map>

#include "basics/watch.h"
#include "heuristics/heuristics.h"
#include "planning/ground_action.h"
#include "search/orbit_search.h"

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

}  // namespace

Solution solve_window(Engine& engine, const std::vector<Step>& plan, size_t first, size_t last) {
  Solution solution;
  solution.ending = ending_of([&] { return search_window(engine, plan, first, last, solution.plan); });
  if (solution.ending != Ending::solved) solution.plan.clear();
  return solution;
}

namespace {

// Which steps must stay after which: one of the two changes an atom that the other changes or needs.
class Order {
 public:
  Order(Engine& engine, const std::vector<Step>& plan) : before_(plan.size(), 0), after_(plan.size()) {
    GroundAction action;
    for (size_t i = 0; i < plan.size(); ++i) {
      poll(10);
      ground(engine, plan[i].schema, plan[i].arguments.data(), action);
      for (AtomId atom : action.needs) read(atom, i);
      for (AtomId atom : action.forbids) read(atom, i);
      for (AtomId atom : action.adds) write(atom, i);
      for (AtomId atom : action.deletes) write(atom, i);
    }
  }

  // Steps that this one makes possible come next, so that one thing is finished after the other.
  std::vector<size_t> depth_first() {
    std::vector<size_t> order, stack;
    for (size_t i = before_.size(); i-- > 0;)
      if (before_[i] == 0) stack.push_back(i);
    while (!stack.empty()) {
      poll();
      const size_t step = stack.back();
      stack.pop_back();
      order.push_back(step);
      for (size_t i = after_[step].size(); i-- > 0;)
        if (--before_[after_[step][i]] == 0) stack.push_back(after_[step][i]);
    }
    return order;
  }

 private:
  struct Uses {
    size_t writer = SIZE_MAX;
    std::vector<size_t> readers;  // since then
  };
  void read(AtomId atom, size_t step) {
    Uses& uses = uses_[atom];
    add(uses.writer, step);
    uses.readers.push_back(step);
  }
  void write(AtomId atom, size_t step) {
    Uses& uses = uses_[atom];
    add(uses.writer, step);
    for (size_t reader : uses.readers) add(reader, step);
    uses = {step, {}};
  }
  void add(size_t first, size_t second) {
    if (first == SIZE_MAX || first == second) return;
    after_[first].push_back(second);
    ++before_[second];
  }

  std::vector<size_t> before_;              // by step: how many, counted once for each atom
  std::vector<std::vector<size_t>> after_;  // by step
  std::unordered_map<AtomId, Uses> uses_;
};

}  // namespace

std::vector<Step> gather_steps(Engine& engine, const std::vector<Step>& plan) {
  std::vector<Step> result;
  for (size_t step : Order(engine, plan).depth_first()) result.push_back(plan[step]);
  return flaw_of(engine, result) ? plan : result;
}

}  // namespace liftq
