#include "search/ending.h"

namespace liftq {

const char* name_of(Ending ending) {
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

Ending ending_of(Stop reason) {
  switch (reason) {
    case Stop::time:
      return Ending::time_limit;
    case Stop::memory:
      return Ending::memory_limit;
    default:
      return Ending::interrupted;
  }
}

}  // namespace liftq
