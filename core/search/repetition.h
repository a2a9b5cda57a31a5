// How often each action was taken since the policy last came closer to the goal, by its own values. Where several
// objects can move, every combination of their places is a new state: what a policy that goes in circles repeats are
// actions.
#pragma once

#include <cstdint>
#include <limits>
#include <unordered_map>

#include "basics/hash.h"

namespace liftq {

class Repetition {
 public:
  void see(float value) {  // the best of a pass
    if (value > best_ - kImprovement) return;
    best_ = value;
    times_.clear();
  }
  void count(int schema, const int* arguments, int arity) { ++times_[hash_atom(schema, arguments, arity)]; }
  uint32_t times(int schema, const int* arguments, int arity) const {
    const auto found = times_.find(hash_atom(schema, arguments, arity));
    return found == times_.end() ? 0 : found->second;
  }

 private:
  static constexpr float kImprovement = 0.5F;  // less may be an error of the network
  float best_ = std::numeric_limits<float>::infinity();
  std::unordered_map<uint64_t, uint32_t> times_;
};

}  // namespace liftq
