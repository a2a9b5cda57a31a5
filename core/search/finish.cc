#include "search/finish.h"

#include <algorithm>
#include <new>

namespace liftq {

namespace {
constexpr size_t kSearches = 2;                     // of a portfolio, in the time of its first
constexpr uint64_t kMultiplyAddsPerOperator = 400;  // of the network, in the time that h_FF takes for an operator
}  // namespace

Ending Finish::run(StateId state, size_t step_limit, size_t most_states) {
  return within_memory([&] {
    // Landmarks should not cost more than the states that they are for.
    const double work = static_cast<double>(most_states) * heuristics().relaxation().num_operators();
    const auto most_work = static_cast<uint64_t>(std::min<double>(GreedySearch::kLandmarkWork, work));
    GreedySearch search(heuristics(), step_limit, most_work);
    return go_on(search, state, most_states);
  });
}

Ending Finish::run_from_start(size_t step_limit, size_t most_states, uint64_t multiply_adds) {
  return within_memory([&] {
    if (!from_start_) from_start_.emplace(heuristics(), step_limit, nullptr);
    const uint64_t operators = std::max<uint64_t>(1, heuristics().relaxation().num_operators());
    const size_t worth = multiply_adds / (kMultiplyAddsPerOperator * operators);
    return go_on(*from_start_, engine_.initial_state(), std::max(most_states, worth) / kSearches);
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
Ending Finish::go_on(Search& search, StateId state, size_t most_states) {
  const size_t before = search.num_valued();
  const Ending ending = search.run(state, most_states);
  num_valued_ += search.num_valued() - before;
  if (ending == Ending::solved) plan_ = search.plan();
  return ending;
}

}  // namespace liftq
