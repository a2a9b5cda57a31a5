// A policy and searches in turns, by counted work (see basics/watch.h). The policy acts as it would alone. Once it is
// lost, a copy of it is led on: to a state that is closer by its values, or else to one with fewer open goals than
// ever. If neither is near, greedy search with h_FF begins at the closest state. A policy that is lost again and again
// may be worse than none, so search from the start begins, too. A policy with a way on gets about half of the time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "search/finish.h"
#include "search/rollout.h"
#include "search/width_search.h"

namespace liftq {

class PolicyPortfolio {
 public:
  PolicyPortfolio(Valuer& valuer, size_t step_limit, const Acting& acting)
      : engine_(valuer.engine()),
        alone_(valuer, step_limit, acting),
        width_(engine_),
        finish_(engine_, valuer.heuristics()),
        step_limit_(step_limit) {}

  Ending run();  // throws Stopped or std::bad_alloc at a limit
  const Rollout& rollout() const { return is_alone_ ? alone_ : *helped_; }  // with the plan if the ending is `solved`
  size_t num_expanded() const;
  size_t times_lost() const { return times_lost_; }
  size_t num_searched() const { return finish_.num_valued(); }  // states, by greedy search

 private:
  enum Part { kAlone, kHelped, kFromStart, kParts };

  Part next() const;
  double share_of(Part part) const;
  std::optional<Ending> take_turn(Part part, uint64_t work);  // none: go on
  std::optional<Ending> act_alone(uint64_t work);
  std::optional<Ending> help(uint64_t work);
  bool reach_a_goal(uint64_t work);
  std::optional<Ending> search_nearby(uint64_t work);
  std::optional<Ending> search_from_closest(uint64_t work);
  std::optional<Ending> search_from_start(uint64_t work);

  Engine& engine_;
  Rollout alone_;
  std::optional<Rollout> helped_;
  WidthSearch width_;
  Finish finish_;
  size_t step_limit_;
  std::array<double, kParts> due_{};  // by part: its work, by its share. The least is the next.
  std::array<bool, kParts> has_ended_{};
  bool is_alone_ = true;                    // the rollout that ended last
  bool is_helped_lost_ = true;              // it needs search
  uint32_t no_goal_near_ = Rollout::kNone;  // a node from which IW(1) finds no state with fewer open goals
  size_t fewest_goals_ = SIZE_MAX;
  size_t passes_ = 0;  // of the next search by values
  size_t times_lost_ = 0, passes_before_ = 0;
};

}  // namespace liftq
