// Why a solve ended.
#pragma once

#include <new>

#include "basics/watch.h"

namespace liftq {

enum class Ending {
  solved,
  unsolvable,  // the search has seen every state, up to twins
  step_limit,
  time_limit,
  memory_limit,
  dead_end,  // no applicable action, or no plan even if nothing were ever deleted
  no_unvisited_successor,
  interrupted,
};

const char* name_of(Ending ending);
Ending ending_of(Stop reason);

// Stopped by a limit or by the user.
constexpr bool is_stopped(Ending ending) {
  return ending == Ending::time_limit || ending == Ending::memory_limit || ending == Ending::interrupted;
}

// What `run` returns, or why it was stopped.
template <class Run>
Ending ending_of(Run run) {
  try {
    return run();
  } catch (const Stopped& stopped) {
    return ending_of(stopped.reason);
  } catch (const std::bad_alloc&) {
    return Ending::memory_limit;
  }
}

}  // namespace liftq
