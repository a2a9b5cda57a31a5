// Replays a plan for learners: its states, their candidates, and what is known of the cost of each candidate.
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
  std::vector<double> bounds;                // by candidate: its cost + LM-cut of its successor; for the plan's, h*
  std::vector<uint8_t> is_rival;             // by candidate: neither the plan's nor proven to be as good
};

struct Inquiry {
  bool bounds = true;     // whether LM-cut is computed; otherwise it counts as 0
  size_t tie_states = 0;  // a search for an equally good plan may expand this many states per candidate
  double dead_end = 0;    // in place of an infinite LM-cut
};

// Throws std::invalid_argument if a step is not applicable or the plan does not end in a goal state.
Lessons replay(Engine& engine, Heuristics& heuristics, const Actions& plan, Inquiry inquiry);

}  // namespace liftq
