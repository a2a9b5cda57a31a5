// Says when to stop: at a limit on time or memory, or when the user asks.
//
// A watch belongs to the thread that started it. Long loops call `poll`, which costs about a nanosecond, checks the
// watches of its thread at intervals, and throws `Stopped` if one of them is over. Memory is checked on allocation
// (basics/memory.h), so that not even one large vector exceeds the limit.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>

namespace liftq {

enum class Stop { none, time, memory, interrupt };

struct Stopped : std::exception {
  explicit Stopped(Stop reason) : reason(reason) {}
  const char* what() const noexcept override { return "a limit was reached"; }
  Stop reason;
};

class Watch {
 public:
  struct Limits {
    double seconds = std::numeric_limits<double>::infinity();
    double bytes = std::numeric_limits<double>::infinity();  // by which the process may grow
  };
  explicit Watch(Limits limits) : limits_(limits) {}
  Watch(const Watch&) = delete;
  ~Watch() { end(); }

  void start();  // for this thread, inside the watches that it has already; time and memory count from now on
  void end();    // in the thread that started it

  bool is_over();     // call it from the thread that started it
  bool is_overdue();  // call it from another thread: whether it is over, and its own thread had time to notice
  Stop reason() const { return stop_; }
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  static Watch* innermost();  // of this thread; nullptr if there is none
  Watch* outer() const { return outer_; }
  int64_t bytes_left();  // how much the thread may still allocate, INT64_MAX without a limit

 private:
  using Clock = std::chrono::steady_clock;
  bool measure();  // measures the process; false if that happened just now
  bool is_out_of_memory(int64_t resident) const;

  Limits limits_;
  std::atomic<Stop> stop_ = Stop::none;
  Clock::time_point start_ = Clock::now();
  Watch* outer_ = nullptr;
  bool started_ = false;
  int64_t held_before_ = 0, resident_before_ = 0;  // bytes of the thread and of the process at the start
  int64_t held_then_ = 0, resident_then_ = 0;      // when they were last measured
  double measured_at_ = 0;                         // seconds
};

void look();  // checks all watches of this thread and signals; throws Stopped, or whatever a signal handler throws

// Work until the next look, in units of about 10 to 100 ns.
extern constinit thread_local int64_t work_left __attribute__((tls_model("initial-exec")));
inline void poll(size_t work = 1) {
  work_left -= static_cast<int64_t>(work);
  if (work_left < 0) [[unlikely]]
    look();
}

uint64_t work_done();  // by this thread so far, in the same units: the same numbers in every run

// Set in threads that another thread may stop: they check this flag instead of signals.
extern constinit thread_local const std::atomic<bool>* asked_to_stop;

extern void (*look_at_signals)();  // set by the bindings; called every 50 ms at most

size_t resident_bytes();  // of this process; 0 if the system does not report it

}  // namespace liftq
