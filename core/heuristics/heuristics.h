// Heuristics on the delete relaxation, for every state of a task. The task is grounded once, from its initial state; a
// state that this does not cover (one put together by hand) makes it ground anew from all that it has seen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "heuristics/heuristic.h"
#include "heuristics/relaxation.h"
#include "planning/engine.h"

namespace liftq {

class Heuristics {
 public:
  explicit Heuristics(Engine& engine, Costs costs = Costs::of_actions);
  Engine& engine() { return engine_; }

  // Infinite if the state has no relaxed plan, and so no plan at all.
  double value(const HeuristicKind& kind, StateId state);
  Actions relaxed_plan(const HeuristicKind& kind, StateId state);  // that costs this value; none if it has none

  struct Landmark {  // at least one of these actions is in every plan
    double cost;     // its share of the value of LM-cut
    Actions actions;
  };
  std::vector<Landmark> landmarks(StateId state);  // the cuts of LM-cut; none if its value is infinite

  const Relaxation& relaxation() const { return *relaxation_; }  // until a state makes it ground anew
  std::span<const int> propositions(StateId state);              // that hold; valid until the next call

  size_t num_operators() const { return relaxation_->num_operators(); }

 private:
  Heuristic& heuristic(const HeuristicKind& kind);
  bool read(StateId state);  // false if the relaxation does not cover the state
  void open(StateId state);
  AtomId number_here(AtomId atom);
  void ground();
  void add_actions(std::span<const int> operators, Actions& result) const;

  Engine& engine_;
  Costs costs_;
  AtomTable seeds_;                  // atoms of all states that were grounded from
  std::vector<uint8_t> is_certain_;  // by seed: it holds in all of those states
  std::unique_ptr<Relaxation> relaxation_;
  std::map<const HeuristicKind*, std::unique_ptr<Heuristic>> heuristics_;  // made when first asked for
  std::vector<AtomId> number_here_;  // by the engine's number of an atom: the relaxation's, as far as looked up
  std::vector<uint64_t> stamp_of_;   // by atom of the relaxation: the last reading that saw it
  uint64_t stamp_ = 0;
  std::vector<int> propositions_;  // of the state that was read
};

}  // namespace liftq
