// Novelty of states (Lipovetzky & Geffner, ECAI 2012): whether a fact, or at least a pair of facts, holds for the first
// time among all states of a class. What was seen is kept as bits at hashed places (Singh, Lipovetzky, Ramirez &
// Segovia-Aguas, ICAPS 2021). If two share a place, the second may go unnoticed; memory stays constant.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "basics/hash.h"

namespace liftq {

class Novelty {
 public:
  enum Degree { kFact, kPair, kNone };

  Novelty() : seen_(kPlaces / 64, 0) {}

  // Of a state of this class. Only `singles` are looked at on their own, and only pairs with one of `partners`.
  Degree see(uint64_t state_class, std::span<const int> facts, std::span<const int> singles,
             std::span<const int> partners) {
    const uint64_t seed = mix(state_class);
    bool has_fact = false, has_pair = false;
    for (int fact : singles) has_fact |= is_first(mix(seed ^ static_cast<uint64_t>(fact)));
    for (int fact : partners)
      for (int other : facts) {
        const auto [low, high] = std::minmax(fact, other);
        if (low != high) has_pair |= is_first(mix(~seed ^ static_cast<uint64_t>(high)) + static_cast<uint64_t>(low));
      }
    return has_fact ? kFact : has_pair ? kPair : kNone;
  }

 private:
  static constexpr uint64_t kPlaces = uint64_t{1} << 29;  // 64 MiB

  bool is_first(uint64_t hash) {
    const uint64_t place = hash % kPlaces;
    uint64_t& word = seen_[place / 64];
    const uint64_t bit = uint64_t{1} << place % 64;
    const bool is_first = !(word & bit);
    word |= bit;
    return is_first;
  }

  std::vector<uint64_t> seen_;
};

}  // namespace liftq
