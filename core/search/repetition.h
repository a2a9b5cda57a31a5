// How often each action was taken since the policy last came closer to the goal, by its own values. Where several
// objects can move, every combination of their places is a new state: a policy that goes in circles repeats actions,
// not states.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "basics/hash.h"

namespace liftq {

class Repetition {
 public:
  void forgive() { times_.clear(); }  // since the policy came closer
  void count(int schema, const int* arguments, int arity) { ++times_[hash_atom(schema, arguments, arity)]; }
  uint32_t times(int schema, const int* arguments, int arity) const {
    const auto found = times_.find(hash_atom(schema, arguments, arity));
    return found == times_.end() ? 0 : found->second;
  }

 private:
  std::unordered_map<uint64_t, uint32_t> times_;
};

}  // namespace liftq
