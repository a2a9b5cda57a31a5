#include "search/restarts.h"

#include <bit>

namespace liftq {

namespace {

constexpr size_t kTurn = 5000;       // states
constexpr size_t kFirstTurn = 1000;  // with a policy, whose passes take as long again

// 1, 1, 2, 1, 1, 2, 4, 1, ...
size_t luby(size_t number) {  // from 1
  while (!std::has_single_bit(number + 1)) number -= std::bit_floor(number) - 1;
  return (number + 1) / 2;
}

}  // namespace

Ending Restarts::run(StateId start) {
  for (size_t turn = has_policy_ ? kFirstTurn : kTurn;;) {
    if (const std::optional<Ending> ending = go_on(first_, start, turn)) return *ending;
    if (has_policy_) {
      if (!unguided_) unguided_.emplace(first_, 0);
      if (const std::optional<Ending> ending = go_on(*unguided_, start, turn)) return *ending;
    }
    if (first_.last_progress() + turn > first_.num_valued()) continue;
    turn = kTurn * luby(num_restarts_ + 1);
    if (restart(start, turn) == Ending::solved) return Ending::solved;
  }
}

std::optional<Ending> Restarts::go_on(GreedySearch& search, StateId start, size_t turn) {
  const size_t until = search.num_valued() + turn;
  const Ending ending = search.run(start, until);
  if (ending == Ending::solved) plan_ = search.plan();
  const bool is_out_of_turn = ending == Ending::step_limit && search.num_valued() >= until;
  return is_out_of_turn ? std::nullopt : std::optional(ending);
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
