// A plan replayed for learners: each state it leaves, all candidates there, and what is known of the cost of each.
#pragma once

#include <cstdint>
#include <vector>

#include "heuristics/grounding.h"
#include "heuristics/heuristics.h"
#include "planning/engine.h"

namespace liftq {

struct Lessons {
  std::vector<uint32_t> states;              // before each step, up to the first one in which the goal holds
  std::vector<double> h_star;                // by state: cost of the rest of the plan
  std::vector<int> teacher;                  // by state: the candidate that the plan takes, counted within the state
  std::vector<uint32_t> first_candidate{0};  // by state, into `candidates`, with one past the end
  Orbits candidates;                         // of all states
  std::vector<double> costs;                 // by candidate
  std::vector<double> h_successor;           // by candidate: LM-cut, infinite for dead ends; on the plan: h*
  std::vector<uint8_t> is_tie;               // by candidate: not the plan's, and proven to be on one that costs no more
};

struct Inquiry {
  bool bounds = true;     // LM-cut for every candidate; otherwise 0
  size_t tie_states = 0;  // ties are looked for by optimal search that expands so many states for each candidate
};

// Throws std::invalid_argument if a step is not applicable or the plan does not end in a goal state.
Lessons replay(Engine& engine, Heuristics& heuristics, const Actions& plan, Inquiry inquiry);

}  // namespace liftq
