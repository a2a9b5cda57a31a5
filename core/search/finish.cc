#include "search/finish.h"

#include <new>

namespace liftq {

Ending Finish::run(StateId start, size_t step_limit, size_t most_states) {
  if (is_too_large_) return Ending::memory_limit;
  try {
    if (!heuristics_) heuristics_.emplace(engine_, Costs::one);
    GreedySearch search(*heuristics_, step_limit, most_states);
    const Ending ending = search.run(start);
    num_valued_ += search.num_valued();
    if (ending == Ending::solved) plan_ = search.plan();
    return ending;
  } catch (const std::bad_alloc&) {  // the policy can do with less
    heuristics_.reset();
    is_too_large_ = true;
    return Ending::memory_limit;
  }
}

}  // namespace liftq
