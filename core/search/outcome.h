// How a solve ends, and what a plan is made of.
#pragma once

#include <vector>

namespace liftq {

enum class Ending {
  solved,
  unsolvable,  // the search has seen every state, up to twins
  step_limit,
  time_limit,
  memory_limit,
  dead_end,  // no applicable action
  no_unvisited_successor,
  interrupted,
};

inline const char* name_of(Ending ending) {
  switch (ending) {
    case Ending::solved:
      return "solved";
    case Ending::unsolvable:
      return "unsolvable";
    case Ending::step_limit:
      return "step-limit";
    case Ending::time_limit:
      return "time-limit";
    case Ending::memory_limit:
      return "memory-limit";
    case Ending::dead_end:
      return "dead-end";
    case Ending::no_unvisited_successor:
      return "no-unvisited-successor";
    default:
      return "interrupted";
  }
}

struct Step {
  int schema;
  std::vector<int> arguments;
};

}  // namespace liftq
