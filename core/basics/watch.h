// Says when to stop: at a limit on time or memory, or when the user asks. Cheap enough to be asked between any two
// steps.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>

namespace liftq {

enum class Stop { none, time, memory, interrupt };

class Watch {
 public:
  using Clock = std::chrono::steady_clock;
  struct Limits {
    double seconds;                     // infinite for no limit
    double bytes;                       // of the whole process; infinite for no limit
    std::function<bool()> interrupted;  // may be empty
  };
  explicit Watch(Limits limits) : limits_(std::move(limits)) {}

  bool stopped() {
    if (stop_ == Stop::none) look();
    return stop_ != Stop::none;
  }
  Stop reason() const { return stop_; }
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  void look();

  Limits limits_;
  Stop stop_ = Stop::none;
  Clock::time_point start_ = Clock::now();
  double next_look_ = 0;  // seconds since the start at which memory and signals are looked at again
};

size_t resident_bytes();  // of this process; 0 where the system does not say

}  // namespace liftq
