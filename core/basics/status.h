// The progress of a thread's search, for another thread to show.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>

namespace liftq {

struct Status {
  static constexpr float kNone = std::numeric_limits<float>::infinity();
  std::atomic<uint64_t> steps = 0;        // of the policy, to its current state
  std::atomic<uint64_t> passes = 0;       // of its network
  std::atomic<float> best_value = kNone;  // of these
  std::atomic<uint64_t> states = 0;       // valued by greedy search
  std::atomic<float> best_h_ff = kNone;   // of these
};

extern constinit thread_local Status* status;  // null if no thread shows it

}  // namespace liftq
