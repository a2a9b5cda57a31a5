#include "basics/watch.h"

#include <algorithm>

#include "basics/memory.h"

namespace liftq {

constinit thread_local int64_t work_left = 0;
constinit thread_local const std::atomic<bool>* asked_to_stop = nullptr;
void (*look_at_signals)() = nullptr;

namespace {

constexpr int64_t kWorkBetweenLooks = 4096;
constexpr double kMeasureEvery = 0.01;  // seconds: reading /proc takes about 10 microseconds
constexpr double kSignalsEvery = 0.05;
constexpr double kGrace = 0.1;

constinit thread_local Watch* innermost_watch = nullptr;
constinit thread_local int64_t work_granted = 0;  // in all
constinit thread_local double signals_looked_at = 0;
std::atomic<int> num_watched_threads = 0;  // they share the memory of the process

void grant(int64_t work) {
  work_granted += work - work_left;
  work_left = work;
}

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

}  // namespace

Watch* Watch::innermost() { return innermost_watch; }

void Watch::start() {
  start_ = Clock::now();
  outer_ = innermost_watch;
  innermost_watch = this;
  started_ = true;
  grant(0);
  if (!outer_) ++num_watched_threads;
  held_before_ = held_then_ = account.held;
  resident_before_ = resident_then_ = static_cast<int64_t>(resident_bytes());
  measured_at_ = -1;  // limits that are reached already are found at once
}

void Watch::end() {
  if (!started_) return;
  started_ = false;
  innermost_watch = outer_;
  if (!outer_) --num_watched_threads;
}

bool Watch::is_over() {
  if (stop_ != Stop::none) return true;
  if (seconds() >= limits_.seconds)
    stop_ = Stop::time;
  else if (measure() && is_out_of_memory(resident_then_))
    stop_ = Stop::memory;
  return stop_ != Stop::none;
}

bool Watch::is_overdue() {
  if (stop_ != Stop::none) return true;
  if (seconds() >= limits_.seconds + kGrace)
    stop_ = Stop::time;
  else if (is_out_of_memory(static_cast<int64_t>(resident_bytes())))
    stop_ = Stop::memory;
  return stop_ != Stop::none;
}

bool Watch::is_out_of_memory(int64_t resident) const {
  return static_cast<double>(resident - resident_before_) >= limits_.bytes * num_watched_threads;
}

bool Watch::measure() {
  if (seconds() < measured_at_ + kMeasureEvery) return false;
  measured_at_ = seconds();
  resident_then_ = static_cast<int64_t>(resident_bytes());
  held_then_ = account.held;
  return true;
}

int64_t Watch::bytes_left() {
  if (limits_.bytes == std::numeric_limits<double>::infinity()) return INT64_MAX;
  measure();
  const auto own = static_cast<double>(account.held - held_before_);
  const auto process = static_cast<double>(resident_then_ - resident_before_ + account.held - held_then_);
  const double left = std::min(limits_.bytes - own, limits_.bytes * num_watched_threads - process);
  return static_cast<int64_t>(std::clamp(left, 0.0, 9e18));
}

uint64_t work_done() { return static_cast<uint64_t>(work_granted - work_left); }

void look() {
  grant(kWorkBetweenLooks);
  for (Watch* watch = innermost_watch; watch; watch = watch->outer())
    if (watch->is_over()) throw Stopped(watch->reason());
  Metered::refresh();
  if (asked_to_stop) {
    if (*asked_to_stop) throw Stopped(Stop::interrupt);
    return;
  }
  if (!look_at_signals || now() < signals_looked_at + kSignalsEvery) return;
  signals_looked_at = now();
  look_at_signals();
}

}  // namespace liftq
