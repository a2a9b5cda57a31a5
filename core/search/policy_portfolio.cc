#include "search/policy_portfolio.h"

#include <algorithm>

#include "basics/watch.h"

namespace liftq {

namespace {
constexpr size_t kFirstPasses = 16;  // of a search by values; twice as many if that does not help
constexpr size_t kManyPasses = 128;  // of one: then its policy may be worse than none
constexpr size_t kOftenLost = 3;     // times: then search from the start begins
constexpr uint64_t kTurn = 16;       // a turn is this part of the work so far
// Shares of the work: of a policy with a way on, of the copy that inherits from it, and of all others. Passes take less
// time for the same work than searches.
constexpr double kAlonesShare = 4, kHeirsShare = 2, kShare = 1;
}  // namespace

Ending PolicyPortfolio::run() {
  const uint64_t before = work_done();
  const std::optional<Ending> ending = alone_.act(0);
  if (ending == Ending::solved) return *ending;
  has_ended_[kAlone] = ending.has_value();
  helped_.emplace(alone_);
  passes_before_ = alone_.num_expanded();
  alone_.stop_searching();
  for (;;) {
    look();  // even if no part has work to do
    const Part part = next();
    const double share = share_of(part);
    const uint64_t start = work_done();
    const std::optional<Ending> end = take_turn(part, 1 + (start - before) / kTurn);
    if (end) return *end;
    due_[part] += static_cast<double>(work_done() - start) / share;
    if (times_lost_ < kOftenLost) due_[kFromStart] = due_[kHelped];
  }
}

double PolicyPortfolio::share_of(Part part) const {
  if (part == kAlone) return kAlonesShare;
  const bool is_heir = part == kHelped && has_ended_[kAlone] && passes_ < kManyPasses;
  return is_heir ? kHeirsShare : kShare;
}

// The part that is furthest behind its share. It gets a whole turn, so that parts do not change with every pass.
PolicyPortfolio::Part PolicyPortfolio::next() const {
  Part next = kHelped;  // which never ends without an answer
  for (Part part : {kAlone, kFromStart}) {
    const bool is_due = !has_ended_[part] && (part == kAlone || times_lost_ >= kOftenLost);
    if (is_due && due_[part] < due_[next]) next = part;
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
    if (is_helped_lost_) {
      ++times_lost_;
      if (const std::optional<Ending> ending = search_nearby(work)) return ending;
    } else {
      if (helped_->act(0) == Ending::solved) return Ending::solved;
      is_helped_lost_ = true;  // but there may be another way
      passes_ = 0;
    }
  }
  return std::nullopt;
}

// With each call that succeeds, fewer goals are open than ever, so the policy is not helped in circles.
bool PolicyPortfolio::reach_a_goal(uint64_t work) {
  const uint32_t node = helped_->closest();
  if (node == no_goal_near_) return false;
  const StateId state = helped_->state(node);
  fewest_goals_ = std::min(fewest_goals_, engine_.goals_left(state));
  const std::vector<Step> plan = width_.find(state, fewest_goals_, helped_->steps_left(node), work);
  if (plan.empty() && !width_.is_out_of_work()) no_goal_near_ = node;
  if (plan.empty()) return false;
  --fewest_goals_;
  return helped_->follow(node, plan);
}

std::optional<Ending> PolicyPortfolio::search_nearby(uint64_t work) {
  passes_ = std::max(2 * passes_, kFirstPasses);
  const uint64_t before = work_done();
  const std::optional<Ending> ending = helped_->search(passes_);
  const uint64_t work_of_passes = work_done() - before;
  if (ending) return ending;
  is_helped_lost_ = !helped_->is_closer() && !reach_a_goal(work);
  if (!is_helped_lost_ || passes_ == kFirstPasses) return std::nullopt;  // at first, grounding is not worth it
  return search_from_closest(work_of_passes);
}

// From the closest state, or from the first if that turns out to be a dead end.
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
