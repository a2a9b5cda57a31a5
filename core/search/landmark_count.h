// Counts the landmarks that a path still has to reach, or to reach again (Richter & Westphal, JAIR 2010).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heuristics/landmarks.h"

namespace liftq {

class LandmarkCount {
 public:
  LandmarkCount(const Relaxation& relaxation, Landmarks landmarks);

  // Values the next node of a search tree, where these propositions hold; a root has no parent.
  int add(uint32_t parent, std::span<const int> state);
  static constexpr uint32_t kNone = UINT32_MAX;
  const Landmarks& landmarks() const { return landmarks_; }

 private:
  bool is_reached(uint64_t node, size_t landmark) const;
  bool is_needed_again(uint64_t node, size_t landmark) const;

  Landmarks landmarks_;
  std::vector<int> landmark_of_;   // by proposition, or -1
  size_t num_words_;               // of a node
  std::vector<uint64_t> reached_;  // by node: bits of landmarks
  std::vector<uint64_t> holds_;    // of the state looked at
};

}  // namespace liftq
