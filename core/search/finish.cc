#include "search/finish.h"

#include <algorithm>
#include <new>

#include "basics/watch.h"

namespace liftq {

namespace {
constexpr size_t kStates = 50;  // between two looks at the work they cost
}  // namespace

Ending Finish::run(StateId state, size_t step_limit, uint64_t most_work) {
  return within_memory([&] {
    const uint64_t before = work_done();
    // Landmarks should not cost more than the states that they are for.
    GreedySearch search(heuristics(), step_limit, std::min(GreedySearch::kLandmarkWork, most_work));
    Ending ending = Ending::step_limit;
    do {
      const size_t until = search.num_valued() + kStates;
      ending = go_on(search, state, until);
      if (search.num_valued() < until) break;
    } while (ending == Ending::step_limit && work_done() - before < most_work);
    return ending;
  });
}

Ending Finish::run_from_start(size_t step_limit, uint64_t most_work) {
  return within_memory([&] {
    if (!from_start_) from_start_.emplace(heuristics(), step_limit, nullptr);
    return go_on(*from_start_, engine_.initial_state(), most_work);
  });
}

Heuristics& Finish::heuristics() {
  if (!heuristics_) heuristics_ = shared_ ? shared_ : std::make_shared<Heuristics>(engine_, Costs::one);
  return *heuristics_;
}

template <class Search>
Ending Finish::within_memory(const Search& search) {
  if (is_too_large_) return Ending::memory_limit;
  try {
    return search();
  } catch (const std::bad_alloc&) {  // the policy can do with less
    from_start_.reset();
    heuristics_.reset();
    is_too_large_ = true;
    return Ending::memory_limit;
  }
}

template <class Search>
Ending Finish::go_on(Search& search, StateId state, size_t limit) {
  const size_t before = search.num_valued();
  const Ending ending = search.run(state, limit);
  num_valued_ += search.num_valued() - before;
  if (ending == Ending::solved) plan_ = search.plan();
  return ending;
}

}  // namespace liftq
