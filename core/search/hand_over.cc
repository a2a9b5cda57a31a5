#include "search/hand_over.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <unordered_set>
#include <utility>

#include "basics/watch.h"
#include "planning/ground_action.h"
#include "search/elimination.h"

namespace liftq {

namespace {

// Takes steps in any order that is possible. One that would make others impossible waits until they are done. Where no
// step is possible, another action may help.
class Scheduler {
 public:
  Scheduler(Engine& engine, std::vector<Step> steps) : engine_(engine), steps_(std::move(steps)) {
    for (const Step& step : steps_) {
      poll(10);
      ground(engine, step.schema, step.arguments.data(), actions_.emplace_back());
    }
    const auto number = [&](const std::vector<GroundAtom>& goal, std::vector<AtomId>& atoms) {
      for (const GroundAtom& atom : goal)
        if (!engine.task().predicates[atom.predicate].is_static) atoms.push_back(engine.intern(atom));
    };
    number(engine.task().goal_positive, goal_.needs);
    number(engine.task().goal_negative, goal_.forbids);
    const std::unordered_set<AtomId> goals(goal_.needs.begin(), goal_.needs.end());
    for (const GroundAction& action : actions_)
      reaches_goal_.push_back(std::ranges::any_of(action.adds, [&](AtomId atom) { return goals.contains(atom); }));
    make_room();
    for (AtomId atom : engine.atoms_of(engine.initial_state())) holds_[atom] = 1;
  }

  bool reached_goal() const { return is_applicable(goal_); }

  // Until the goal holds, or no step can be taken, or they cost more than `most`.
  std::vector<Step> run(double most) {
    std::vector<Step> plan;
    count(waiting_for_, goal_, 1);
    for (size_t step = 0; step < steps_.size(); ++step) {
      waiting_.push_back(step);
      count(waiting_for_, actions_[step], 1);
    }
    for (double cost = 0; cost <= most && !reached_goal(); cost += cost_of(plan.back())) {
      std::vector<size_t> ready = possible_steps();
      std::erase_if(ready, [&](size_t step) { return !is_useful(step); });
      if (ready.empty()) {
        const Step step = bridge();
        if (step.schema < 0) break;
        plan.push_back(step);
      } else {
        const size_t step = best_of(ready);
        std::erase(waiting_, step);
        count(waiting_for_, actions_[step], -1);
        apply(actions_[step]);
        plan.push_back(steps_[step]);
      }
    }
    return plan;
  }

 private:
  void make_room() {
    for (auto* counts : {&users_[0], &users_[1], &waiting_for_[0], &waiting_for_[1]})
      counts->resize(engine_.atoms().size(), 0);
    holds_.resize(engine_.atoms().size(), 0);
  }

  double cost_of(const Step& step) const { return action_cost(engine_.task(), step.schema, step.arguments.data()); }

  std::vector<size_t> possible_steps() const {
    std::vector<size_t> steps;
    for (size_t step : waiting_)
      if (is_applicable(actions_[step])) steps.push_back(step);
    return steps;
  }

  // Whether it adds what a goal or another step needs, or deletes the last that keeps another step from being possible.
  bool is_useful(size_t step) const {
    const GroundAction& action = actions_[step];
    const auto is_in = [](const std::vector<AtomId>& atoms, AtomId atom) { return std::ranges::count(atoms, atom); };
    const auto is_missing = [&](AtomId atom) {
      return !holds_[atom] && waiting_for_[1][atom] > is_in(action.needs, atom);
    };
    if (std::ranges::any_of(action.adds, is_missing)) return true;
    const auto is_in_the_way = [&](AtomId atom) { return waiting_for_[0][atom] > is_in(action.forbids, atom); };
    if (std::ranges::none_of(action.deletes, is_in_the_way)) return false;
    const auto waits = [&](const GroundAction& other) {
      return std::ranges::any_of(action.deletes, [&](AtomId atom) { return is_in(other.forbids, atom); }) &&
             std::ranges::all_of(other.needs, [&](AtomId atom) { return holds_[atom] != 0; });
    };
    return waits(goal_) ||
           std::ranges::any_of(waiting_, [&](size_t other) { return other != step && waits(actions_[other]); });
  }

  size_t best_of(const std::vector<size_t>& ready) {
    for (size_t step : ready) count(users_, actions_[step], 1);
    const auto best = std::find_if(ready.begin(), ready.end(), [&](size_t step) { return !disturbs(actions_[step]); });
    for (size_t step : ready) count(users_, actions_[step], -1);
    return best == ready.end() ? ready.front() : *best;
  }

  // Takes the action that makes most of the waiting steps possible; those that reach a goal count twice. There may be
  // none.
  Step bridge() {
    std::vector<AtomId> atoms;
    for (AtomId atom = 0; atom < static_cast<AtomId>(holds_.size()); ++atom)
      if (holds_[atom]) atoms.push_back(atom);
    engine_.orbits(engine_.state_of(std::move(atoms)), false, orbits_);
    Step best{-1, {}};
    GroundAction action, best_action;
    size_t most = 0;
    const std::vector<uint8_t> before = holds_;
    for (size_t orbit = 0; orbit < orbits_.count(); ++orbit) {
      ground(engine_, orbits_.schema_of[orbit], orbits_.arguments_of(orbit), action);
      make_room();
      apply(action);
      size_t count = 0;
      for (size_t step : possible_steps()) count += reaches_goal_[step] ? 2 : 1;
      for (const auto* changed : {&action.adds, &action.deletes})
        for (AtomId atom : *changed) holds_[atom] = static_cast<size_t>(atom) < before.size() && before[atom];
      if (count <= most) continue;
      most = count;
      const int* arguments = orbits_.arguments_of(orbit);
      best = {orbits_.schema_of[orbit], {arguments, arguments + orbits_.arity_of(orbit)}};
      best_action = action;
    }
    if (most > 0) apply(best_action);
    return best;
  }

  bool is_applicable(const GroundAction& action) const {
    poll();
    const auto holds = [&](AtomId atom) { return holds_[atom] != 0; };
    return std::all_of(action.needs.begin(), action.needs.end(), holds) &&
           std::none_of(action.forbids.begin(), action.forbids.end(), holds);
  }

  void apply(const GroundAction& action) {
    for (AtomId atom : action.deletes) holds_[atom] = 0;
    for (AtomId atom : action.adds) holds_[atom] = 1;
  }

  static void count(std::vector<int> (&by_value)[2], const GroundAction& action, int change) {
    for (AtomId atom : action.needs) by_value[1][atom] += change;
    for (AtomId atom : action.forbids) by_value[0][atom] += change;
  }

  // Whether another step that could be taken now could not be taken any more.
  bool disturbs(const GroundAction& action) const {
    const auto used = [](const std::vector<int>& users, const std::vector<AtomId>& own, AtomId atom) {
      return users[atom] > std::count(own.begin(), own.end(), atom);
    };
    return std::any_of(action.deletes.begin(), action.deletes.end(),
                       [&](AtomId atom) { return used(users_[1], action.needs, atom); }) ||
           std::any_of(action.adds.begin(), action.adds.end(),
                       [&](AtomId atom) { return used(users_[0], action.forbids, atom); });
  }

  Engine& engine_;
  std::vector<Step> steps_;
  std::vector<GroundAction> actions_;  // of the steps
  std::vector<bool> reaches_goal_;     // by step
  GroundAction goal_;                  // an action that could be taken at the goal
  std::vector<size_t> waiting_;        // steps, in the order of the plan
  std::vector<uint8_t> holds_;         // by atom
  std::vector<int> users_[2];          // by value and atom: how many steps that could be taken depend on it
  std::vector<int> waiting_for_[2];    // the same for all waiting steps, and the goal
  Orbits orbits_;
};

// Whether types, equality and static atoms allow the action.
bool is_possible(const Task& task, const Step& step) {
  const Schema& schema = task.schemas[step.schema];
  for (size_t i = 0; i < step.arguments.size(); ++i)
    if (!task.types[schema.parameter_types[i]].contains[step.arguments[i]]) return false;
  const int* arguments = step.arguments.data();
  for (const Equality& equality : schema.equalities)
    if ((term_value(equality.left, arguments) == term_value(equality.right, arguments)) != equality.equal) return false;
  std::vector<int> key;
  const auto agrees = [&](const LiftedAtom& atom, bool expected) {
    const auto& predicate = task.predicates[atom.predicate];
    if (!predicate.is_static) return true;
    key.clear();
    for (int term : atom.terms) key.push_back(term_value(term, arguments));
    return predicate.rows.contains(key.data()) == expected;
  };
  return std::all_of(schema.positive.begin(), schema.positive.end(), [&](auto& atom) { return agrees(atom, true); }) &&
         std::all_of(schema.negative.begin(), schema.negative.end(), [&](auto& atom) { return agrees(atom, false); });
}

double cost_of(const Task& task, const std::vector<Step>& plan) {
  double cost = 0;
  for (const Step& step : plan) cost += action_cost(task, step.schema, step.arguments.data());
  return cost;
}

// Objects of one type, `from` in several steps of the plan; those with the most steps come first.
std::vector<std::pair<int, int>> pairs_of(const Task& task, const std::vector<Step>& plan) {
  std::vector<size_t> uses(task.object_type.size(), 0);
  for (const Step& step : plan)
    for (int object : std::set<int>(step.arguments.begin(), step.arguments.end())) ++uses[object];
  std::vector<std::pair<int, int>> pairs;
  for (size_t from = 0; from < uses.size(); ++from)
    for (size_t to = 0; uses[from] > 1 && to < uses.size(); ++to)
      if (from != to && uses[to] > 0 && task.object_type[from] == task.object_type[to]) pairs.emplace_back(from, to);
  const auto steps = [&](const std::pair<int, int>& pair) { return uses[pair.first] + uses[pair.second]; };
  std::stable_sort(pairs.begin(), pairs.end(), [&](auto& one, auto& other) { return steps(one) > steps(other); });
  return pairs;
}

std::vector<Step> handed_over(Engine& engine, const std::vector<Step>& plan, int from, int to) {
  std::vector<Step> steps = plan;
  for (Step& step : steps) std::replace(step.arguments.begin(), step.arguments.end(), from, to);
  std::erase_if(steps, [&](const Step& step) { return !is_possible(engine.task(), step); });
  Scheduler scheduler(engine, std::move(steps));
  std::vector<Step> result = scheduler.run(cost_of(engine.task(), plan));
  if (!scheduler.reached_goal() || flaw_of(engine, result)) return plan;
  return without_needless_actions(engine, result);
}

}  // namespace

std::vector<Step> hand_over(Engine& engine, const std::vector<Step>& plan) {
  if (!is_plain(engine.task())) return plan;
  const double cost = cost_of(engine.task(), plan);
  for (const auto& [from, to] : pairs_of(engine.task(), plan)) {
    std::vector<Step> result = handed_over(engine, plan, from, to);
    if (cost_of(engine.task(), result) < cost) return result;
  }
  return plan;
}

}  // namespace liftq
