// Whether a run that is not at the goal can still get there within its step limit. LM-cut, which counts actions here,
// tells how many are needed at least, or that the state is a dead end. A run that this rules out needs no more passes
// of the network to be known to fail.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "heuristics/heuristics.h"
#include "search/ending.h"

namespace liftq {

class StepBound {
 public:
  // `shared`: heuristics where each action costs one, if there are any yet.
  StepBound(Engine& engine, size_t step_limit, std::shared_ptr<Heuristics> shared)
      : engine_(engine), step_limit_(step_limit), heuristics_(std::move(shared)) {}

  // How it must end from this state, after so many steps; none if that is open. Looks at some of the states only.
  std::optional<Ending> ending(StateId state, size_t depth);

 private:
  size_t next_look(size_t depth, size_t spare) const;

  Engine& engine_;
  size_t step_limit_;
  size_t next_look_ = 0;  // the depth
  std::shared_ptr<Heuristics> heuristics_;
  const HeuristicKind& lm_cut_ = Registry<HeuristicKind>::find("lm_cut");
};

}  // namespace liftq
