#include "search/portfolio.h"

#include <algorithm>
#include <bit>

#include "basics/watch.h"

namespace liftq {

namespace {

constexpr size_t kFirstTurn = 250;  // states; twice as many in each turn that follows ...
constexpr size_t kLastTurn = 5000;  // ... up to these
constexpr size_t kStates = 100;     // between two looks at the work they cost
constexpr size_t kUnlimited = SIZE_MAX / 2;
constexpr uint64_t kPartsInTurn = 3;  // searches that take turns
constexpr uint64_t kGoals = 4;  // times the work of the greedy search, from goal to goal: it ends or is stuck soon
constexpr uint64_t kShare = 4;  // of the work goes to novelty while the greedy search makes progress

// 1, 1, 2, 1, 1, 2, 4, 1, ...
size_t luby(size_t number) {  // from 1
  while (!std::has_single_bit(number + 1)) number -= std::bit_floor(number) - 1;
  return (number + 1) / 2;
}

}  // namespace

Ending Portfolio::run(StateId start, uint64_t most_work) {
  for (const uint64_t before = work_done(); work_done() - before < most_work;)
    if (const std::optional<Ending> ending = take_turns(start, most_work / kPartsInTurn)) return *ending;
  return Ending::step_limit;
}

std::optional<Ending> Portfolio::take_turns(StateId start, uint64_t most_work) {
  turn_ = std::clamp(2 * turn_, kFirstTurn, kLastTurn);
  const uint64_t work_before = work_done();
  const size_t valued_before = first_.num_valued();
  std::optional<Ending> ending = go_on(first_, start, turn_, most_work);
  const uint64_t work = work_done() - work_before;
  const size_t states = first_.num_valued() - valued_before;
  if (!ending && has_policy_) {
    if (!unguided_) unguided_.emplace(first_, 0);
    ending = go_on(*unguided_, start, states);
  }
  if (!ending && !is_serialized_stuck_) ending = go_from_goal_to_goal(start, kGoals * work);
  const size_t since_progress = first_.num_valued() - first_.last_progress();
  if (!ending) ending = seek_novelty(start, since_progress < turn_ ? work / kShare : work);
  return !ending && since_progress >= kLastTurn ? restart(start) : ending;
}

std::optional<Ending> Portfolio::go_from_goal_to_goal(StateId start, uint64_t most_work) {
  const Ending ending = serialized_.run(start, most_work);
  is_serialized_stuck_ = ending == Ending::dead_end;
  if (ending != Ending::solved) return std::nullopt;
  plan_ = serialized_.plan();
  return ending;
}

std::optional<Ending> Portfolio::seek_novelty(StateId start, uint64_t most_work) {
  if (!novelty_) novelty_.emplace(heuristics_, step_limit_, first_.landmarks());
  const std::optional<Ending> ending = go_on(*novelty_, start, kUnlimited, most_work);
  return ending == Ending::step_limit ? std::nullopt : ending;  // the greedy search may find shorter ways
}

template <class Search>
std::optional<Ending> Portfolio::go_on(Search& search, StateId start, size_t most_states, uint64_t most_work) {
  const size_t last = search.num_valued() + most_states;
  const uint64_t before = work_done();
  do {
    const size_t until = std::min(last, search.num_valued() + kStates);
    const Ending ending = search.run(start, until);
    if (ending == Ending::solved) plan_ = search.plan();
    if (ending != Ending::step_limit || search.num_valued() < until) return ending;
  } while (search.num_valued() < last && work_done() - before < most_work);
  return std::nullopt;  // its turn is over
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
