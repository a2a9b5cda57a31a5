#include "search/lessons.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <unordered_map>

#include "search/orbit_search.h"

namespace liftq {

namespace {

constexpr double kSmallest = 1e-6;  // costs are sums of fractions

class Replayer {
 public:
  Replayer(Engine& engine, Heuristics& heuristics, const Actions& plan, Inquiry inquiry)
      : engine_(engine), heuristics_(heuristics), plan_(plan), inquiry_(inquiry) {}

  Lessons replay() {
    const size_t num_steps = find_states();
    set_h_star(num_steps);
    for (size_t step = 0; step < num_steps; ++step) add_candidates(step);
    return std::move(lessons_);
  }

 private:
  // Returns the number of steps to the first goal state.
  size_t find_states() {
    StateId state = engine_.initial_state();
    size_t step = 0;
    for (; !engine_.is_goal(state); ++step) {
      if (step == plan_.count()) throw std::invalid_argument("the plan does not reach the goal");
      if (!engine_.applicable(state, plan_.schema_of[step], plan_.arguments_of(step)))
        throw std::invalid_argument("step " + std::to_string(step + 1) + " of the plan is not applicable");
      lessons_.states.push_back(state);
      state = engine_.successor(state, plan_.schema_of[step], plan_.arguments_of(step));
    }
    return step;
  }

  void set_h_star(size_t num_steps) {
    lessons_.h_star.resize(num_steps);
    double rest = 0;
    for (size_t step = num_steps; step-- > 0;) {
      rest += action_cost(engine_.task(), plan_.schema_of[step], plan_.arguments_of(step));
      lessons_.h_star[step] = rest;
    }
  }

  void add_candidates(size_t step) {
    const StateId state = lessons_.states[step];
    engine_.orbits(state, true, orbits_);
    const size_t teacher = find_teacher(step);
    lessons_.teacher.push_back(static_cast<int>(teacher));
    for (size_t orbit = 0; orbit < orbits_.count(); ++orbit) {
      const int schema = orbits_.schema_of[orbit];
      const int* arguments = orbits_.arguments_of(orbit);
      if (orbit == teacher) {
        lessons_.bounds.push_back(lessons_.h_star[step]);
        lessons_.is_rival.push_back(false);
      } else {
        const double cost = action_cost(engine_.task(), schema, arguments);
        const StateId successor = engine_.successor(state, schema, arguments);
        const double h = inquiry_.bounds ? lm_cut(successor) : 0;
        lessons_.bounds.push_back(cost + (std::isinf(h) ? inquiry_.dead_end : h));
        lessons_.is_rival.push_back(!is_within(successor, lessons_.h_star[step] - cost));
      }
    }
    lessons_.candidates.append(orbits_, 0, orbits_.count());
    lessons_.first_candidate.push_back(static_cast<uint32_t>(lessons_.candidates.count()));
  }

  size_t find_teacher(size_t step) {
    const int schema = plan_.schema_of[step];
    std::vector<int> arguments(plan_.arguments_of(step), plan_.arguments_of(step) + plan_.arity_of(step));
    canonicalize(engine_.twins(lessons_.states[step]), arguments.data(), static_cast<int>(arguments.size()));
    for (size_t orbit = 0; orbit < orbits_.count(); ++orbit) {
      if (orbits_.schema_of[orbit] == schema && std::ranges::equal(orbits_.arguments[orbit], arguments)) return orbit;
    }
    throw std::logic_error("an applicable action without an orbit");
  }

  // Different actions often lead to the same state, such as the one before the last step.
  double lm_cut(StateId state) {
    const auto [entry, is_new] = known_.try_emplace(state, 0);
    if (is_new) entry->second = heuristics_.value(lm_cut_, state);
    return entry->second;
  }

  // Whether a search finds the goal within this cost. LM-cut is asked first, since it is known already.
  bool is_within(StateId state, double cost) {
    if (inquiry_.tie_states == 0 || lm_cut(state) > cost + kSmallest) return false;
    return OrbitSearch(heuristics_, cost + 2 * kSmallest, inquiry_.tie_states).run(state) == Ending::solved;
  }

  Engine& engine_;
  Heuristics& heuristics_;
  const HeuristicKind& lm_cut_ = Registry<HeuristicKind>::find("lm_cut");
  const Actions& plan_;
  Inquiry inquiry_;
  Lessons lessons_;
  Orbits orbits_;
  std::unordered_map<StateId, double> known_;
};

}  // namespace

Lessons replay(Engine& engine, Heuristics& heuristics, const Actions& plan, Inquiry inquiry) {
  return Replayer(engine, heuristics, plan, inquiry).replay();
}

}  // namespace liftq
