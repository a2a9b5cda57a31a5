#include "search/policy_portfolio.h"

#include <algorithm>

#include "basics/watch.h"

namespace liftq {

namespace {
constexpr size_t kFirstPasses = 16;        // of a search by values; twice as many if that does not help
constexpr size_t kOftenLost = 3;           // times: then search from the start begins
constexpr uint64_t kTurn = 16;             // a turn is this part of the work so far
constexpr uint64_t kWeight[] = {4, 1, 1};  // shares of the work, by part: passes take less time for the same work
}  // namespace

Ending PolicyPortfolio::run() {
  const uint64_t before = work_done();
  const std::optional<Ending> ending = alone_.act(0);
  if (ending == Ending::solved) return *ending;
  work_[kAlone] = work_done() - before;
  has_ended_[kAlone] = ending.has_value();
  helped_.emplace(alone_);
  passes_before_ = alone_.num_expanded();
  alone_.stop_searching();
  for (;;) {
    const Part part = next();
    const uint64_t start = work_done();
    const std::optional<Ending> end = take_turn(part, (start - before) / kTurn);
    work_[part] += work_done() - start;
    if (end) return *end;
  }
}

// The part that is furthest behind its share. It gets a whole turn, so that parts do not change with every pass.
PolicyPortfolio::Part PolicyPortfolio::next() const {
  Part next = kHelped;  // which never ends without an answer
  const auto due = [&](Part part) { return work_[part] / kWeight[part]; };
  for (Part part : {kAlone, kFromStart}) {
    if (part == kFromStart && times_lost_ < kOftenLost) continue;
    if (!has_ended_[part] && due(part) < due(next)) next = part;
  }
  return next;
}

std::optional<Ending> PolicyPortfolio::take_turn(Part part, uint64_t work) {
  if (part == kAlone) return act_alone(work);
  return part == kHelped ? help(work) : search_from_start(work);
}

std::optional<Ending> PolicyPortfolio::act_alone(uint64_t work) {
  const std::optional<Ending> ending = alone_.act(work);
  has_ended_[kAlone] = ending.has_value();
  is_alone_ = ending == Ending::solved;
  return is_alone_ ? ending : std::nullopt;
}

std::optional<Ending> PolicyPortfolio::help(uint64_t work) {
  is_alone_ = false;
  for (const uint64_t before = work_done(); work_done() - before < work;) {
    std::optional<Ending> ending;
    if (is_helped_lost_) {
      ++times_lost_;
      passes_ = std::max(2 * passes_, kFirstPasses);
      const uint64_t start = work_done();
      ending = helped_->search(passes_);
      if (!ending && !helped_->is_closer() && passes_ > kFirstPasses)  // at first, grounding is not worth it
        ending = search_from_closest(work_done() - start);
      is_helped_lost_ = !helped_->is_closer();
    } else {
      ending = helped_->act(0);
      if (ending != Ending::solved) ending.reset();  // there may be another way
      is_helped_lost_ = true;
      passes_ = 0;
    }
    if (ending) return ending;
  }
  return std::nullopt;
}

// Or from the first state if the closest turns out to be a dead end.
std::optional<Ending> PolicyPortfolio::search_from_closest(uint64_t work) {
  for (uint32_t node : {helped_->closest(), 0U}) {
    const Ending ending = finish_.run(helped_->state(node), helped_->steps_left(node), work);
    if (ending == Ending::unsolvable && node == 0) return ending;
    if (ending == Ending::unsolvable) continue;
    if (ending != Ending::solved) break;
    helped_->follow(node, finish_.plan());
    return ending;
  }
  return std::nullopt;
}

std::optional<Ending> PolicyPortfolio::search_from_start(uint64_t work) {
  const uint64_t before = work_done();
  const Ending ending = finish_.run_from_start(step_limit_, work);
  has_ended_[kFromStart] = ending == Ending::memory_limit || work_done() - before < work;
  is_alone_ = false;
  if (ending == Ending::solved) helped_->follow(0, finish_.plan());
  return ending == Ending::solved || ending == Ending::unsolvable ? std::optional(ending) : std::nullopt;
}

size_t PolicyPortfolio::num_expanded() const {
  return alone_.num_expanded() + (helped_ ? helped_->num_expanded() - passes_before_ : 0);
}

}  // namespace liftq
