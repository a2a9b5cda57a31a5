// A policy and searches in turns, by counted work (see basics/watch.h). The policy acts as it would alone. Once it is
// lost, search helps a copy of it: best-first by its values, and with h_FF from the state that it believes closest to
// the goal; from a closer state, the copy acts on. A policy that is lost again and again may be worse than none, so
// search from the start begins, too. As long as the policy has a way on, it gets about half of the time, and the others
// share the rest equally: what one of them does alone, all together do in about four times the time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "search/finish.h"
#include "search/rollout.h"

namespace liftq {

class PolicyPortfolio {
 public:
  PolicyPortfolio(Valuer& valuer, size_t step_limit, const Acting& acting)
      : alone_(valuer, step_limit, acting), finish_(valuer.engine(), valuer.heuristics()), step_limit_(step_limit) {}

  Ending run();  // throws Stopped or std::bad_alloc at a limit
  const Rollout& rollout() const { return is_alone_ ? alone_ : *helped_; }  // with the plan if the ending is `solved`
  size_t num_expanded() const;
  size_t times_lost() const { return times_lost_; }
  size_t num_searched() const { return finish_.num_valued(); }  // states, by greedy search

 private:
  enum Part { kAlone, kHelped, kFromStart, kParts };

  Part next() const;
  std::optional<Ending> take_turn(Part part, uint64_t work);  // none: go on
  std::optional<Ending> act_alone(uint64_t work);
  std::optional<Ending> help(uint64_t work);
  std::optional<Ending> search_from_closest(uint64_t work);
  std::optional<Ending> search_from_start(uint64_t work);

  Rollout alone_;
  std::optional<Rollout> helped_;
  Finish finish_;
  size_t step_limit_;
  std::array<uint64_t, kParts> work_{};
  std::array<bool, kParts> has_ended_{};
  bool is_alone_ = true;        // the rollout that ended last
  bool is_helped_lost_ = true;  // it needs search
  size_t passes_ = 0;           // of the next search by values
  size_t times_lost_ = 0, passes_before_ = 0;
};

}  // namespace liftq
