#include "search/portfolio.h"

#include <algorithm>
#include <bit>

#include "basics/watch.h"

namespace liftq {

namespace {

constexpr size_t kFirstTurn = 250;    // states; twice as many in each turn that follows ...
constexpr size_t kLastTurn = 5000;    // ... up to these
constexpr size_t kNovelStates = 100;  // between two looks at the work they cost
constexpr uint64_t kShare = 4;        // of the work goes to novelty while the greedy search makes progress

// 1, 1, 2, 1, 1, 2, 4, 1, ...
size_t luby(size_t number) {  // from 1
  while (!std::has_single_bit(number + 1)) number -= std::bit_floor(number) - 1;
  return (number + 1) / 2;
}

}  // namespace

Ending Portfolio::run(StateId start, uint64_t most_work) {
  for (const uint64_t before = work_done(); work_done() - before < most_work;)
    if (const std::optional<Ending> ending = take_turns(start)) return *ending;
  return Ending::step_limit;
}

std::optional<Ending> Portfolio::take_turns(StateId start) {
  turn_ = std::clamp(2 * turn_, kFirstTurn, kLastTurn);
  const uint64_t work_before = work_done();
  std::optional<Ending> ending = go_on(first_, start, turn_);
  const uint64_t work = work_done() - work_before;
  if (!ending && has_policy_) {
    if (!unguided_) unguided_.emplace(first_, 0);
    ending = go_on(*unguided_, start, turn_);
  }
  const size_t since_progress = first_.num_valued() - first_.last_progress();
  if (!ending) ending = seek_novelty(start, since_progress < turn_ ? work / kShare : work);
  return !ending && since_progress >= kLastTurn ? restart(start) : ending;
}

std::optional<Ending> Portfolio::seek_novelty(StateId start, uint64_t most_work) {
  if (!novelty_) novelty_.emplace(heuristics_, step_limit_, first_.landmarks());
  std::optional<Ending> ending;
  for (const uint64_t before = work_done(); !ending && work_done() - before < most_work;)
    ending = go_on(*novelty_, start, kNovelStates);
  return ending == Ending::step_limit ? std::nullopt : ending;  // the greedy search may find shorter ways
}

template <class Search>
std::optional<Ending> Portfolio::go_on(Search& search, StateId start, size_t most_states) {
  const size_t until = search.num_valued() + most_states;
  const Ending ending = search.run(start, until);
  if (ending == Ending::solved) plan_ = search.plan();
  const bool is_out_of_turn = ending == Ending::step_limit && search.num_valued() >= until;
  return is_out_of_turn ? std::nullopt : std::optional(ending);
}

std::optional<Ending> Portfolio::restart(StateId start) {
  GreedySearch other(first_, ++num_restarts_);
  const std::optional<Ending> ending = go_on(other, start, kLastTurn * luby(num_restarts_));
  num_valued_ += other.num_valued();
  num_passes_ += other.num_passes();
  return ending == Ending::solved ? ending : std::nullopt;
}

size_t Portfolio::num_valued() const {
  const size_t unguided = unguided_ ? unguided_->num_valued() : 0;
  return first_.num_valued() + unguided + (novelty_ ? novelty_->num_valued() : 0) + num_valued_;
}

}  // namespace liftq
