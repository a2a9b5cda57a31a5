#include "search/restarts.h"

#include <bit>

namespace liftq {

namespace {

constexpr size_t kTurn = 5000;  // states

// 1, 1, 2, 1, 1, 2, 4, 1, ...
size_t luby(size_t number) {  // from 1
  while (!std::has_single_bit(number + 1)) number -= std::bit_floor(number) - 1;
  return (number + 1) / 2;
}

}  // namespace

Ending Restarts::run(StateId start) {
  for (size_t turn = kTurn;;) {
    const size_t until = first_.num_valued() + turn;
    Ending ending = first_.run(start, until);
    const bool is_over = ending != Ending::step_limit || first_.num_valued() < until;
    if (ending == Ending::solved) plan_ = first_.plan();
    if (is_over) return ending;
    if (first_.last_progress() + turn > until) continue;
    turn = kTurn * luby(num_restarts_ + 1);
    ending = restart(start, turn);
    if (ending == Ending::solved) return ending;
  }
}

Ending Restarts::restart(StateId start, size_t most_states) {
  GreedySearch other(first_, ++num_restarts_);
  const Ending ending = other.run(start, most_states);
  num_valued_ += other.num_valued();
  num_passes_ += other.num_passes();
  if (ending == Ending::solved) plan_ = other.plan();
  return ending;
}

}  // namespace liftq
