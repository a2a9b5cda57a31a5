// Heuristics on the delete relaxation, for every state of a task. The task is grounded on first use, from its initial
// state. A state that this does not cover (one assembled by hand) makes it ground again, from all states seen so far.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "heuristics/heuristic.h"
#include "heuristics/relaxation.h"
#include "heuristics/relaxed_plans.h"
#include "planning/engine.h"

namespace liftq {

class Heuristics {
 public:
  static constexpr uint64_t kMostSteps = 20'000'000;

  // `most_steps`: limit on grounding for relaxed plans; heuristics ground without a limit.
  explicit Heuristics(Engine& engine, Costs costs = Costs::of_actions, uint64_t most_steps = kMostSteps);
  Engine& engine() { return engine_; }

  // Infinite if the state has no relaxed plan, and so no plan at all.
  double value(const HeuristicKind& kind, StateId state);
  Actions relaxed_plan(const HeuristicKind& kind, StateId state);  // of this cost; empty if the heuristic has none

  enum class Verdict { has_relaxed_plans, is_dead_end, is_too_large };
  Verdict find_relaxed_plans(StateId state);
  // The actions of the last relaxed plans: indices into those of the relaxation, ordered by schema and arguments.
  std::span<const int> relaxed_actions() const { return relaxed_actions_; }

  struct Landmark {  // at least one of these actions is in every plan
    double cost;     // its share of the value of LM-cut
    Actions actions;
  };
  std::vector<Landmark> landmarks(StateId state);  // the cuts of LM-cut; none if its value is infinite

  struct Condition {
    int predicate;
    std::vector<int> arguments;
    bool positive;  // otherwise that the atom does not hold
    double cost;    // of making it true, as h_add counts it; 0 if it is true
  };
  // On these predicates, as far as they matter for the goal and are in reach; perhaps none dearer than the goals.
  std::vector<Condition> conditions(StateId state, std::span<const int> predicates);

  const Relaxation& relaxation();                    // until a state makes it ground anew
  std::span<const int> propositions(StateId state);  // that hold; valid until the next call

 private:
  Heuristic& heuristic(const HeuristicKind& kind);
  bool read(StateId state);  // false if the relaxation does not cover the state
  void open(StateId state, uint64_t most_steps = kAnyEffort);
  AtomId number_here(AtomId atom);
  void ground(uint64_t most_steps);
  void add_actions(std::span<const int> operators, Actions& result) const;

  Engine& engine_;
  Costs costs_;
  uint64_t most_steps_;
  bool is_too_large_ = false;        // to be grounded within the limit on steps or in memory
  AtomTable seeds_;                  // atoms of all states that were grounded from
  std::vector<uint8_t> is_certain_;  // by seed: it holds in all of those states
  std::unique_ptr<Relaxation> relaxation_;
  std::map<const HeuristicKind*, std::unique_ptr<Heuristic>> heuristics_;  // created on first use
  std::vector<AtomId> number_here_;  // by the engine's number of an atom: the relaxation's, as far as looked up
  std::vector<uint64_t> stamp_of_;   // by atom of the relaxation: the last reading that saw it
  uint64_t stamp_ = 0;
  std::vector<int> propositions_;  // of the state that was read
  std::optional<RelaxedPlans> relaxed_plans_;
  std::vector<int> relaxed_actions_;
};

}  // namespace liftq
