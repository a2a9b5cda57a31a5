// Facts that hold at some time in every plan: without one of them, no relaxed plan is left. They are among the facts of
// any relaxed plan, so each of those is tried (Hoffmann, Porteous & Sebastia, JAIR 2004).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "basics/lists.h"
#include "heuristics/relaxation.h"

namespace liftq {

struct Landmarks {
  size_t count() const { return propositions.size(); }

  std::vector<int> propositions;  // by landmark
  std::vector<uint8_t> is_goal;   // by landmark
  Lists<>
      needed_for;  // by landmark: those for which it has to hold right before they first do (greedy-necessary order)
};

// Landmarks of plans from the state in which these propositions hold, given the operators of a relaxed plan from there:
// the goals, and as many others as a limit on visited preconditions allows. 200 million of these take about a second.
Landmarks find_landmarks(const Relaxation& relaxation, std::span<const int> state, std::span<const int> relaxed_plan,
                         uint64_t most_work);

}  // namespace liftq
