// How a solve ended, and what it took.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "search/ending.h"
#include "search/plan.h"

namespace liftq {

struct Solution {
  Ending ending = Ending::solved;
  std::vector<Step> plan;      // complete if solved; of a policy alone, as far as it came
  std::vector<bool> valued;    // by step of a policy: whether the state before it went through the network
  size_t passes = 0;           // states whose candidates a policy valued
  size_t states_valued = 0;    // that went through the network, or were valued by a search without one
  uint64_t multiply_adds = 0;  // of the network
  size_t times_lost = 0;       // how often the policy had to be helped by search
  size_t states_searched = 0;  // states valued by searches
  // What it was found with, only to be freed: that may take so long that a limit strikes, which must not lose the plan.
  std::vector<std::shared_ptr<void>> held;
};

}  // namespace liftq
