// Novelty of states for a heuristic (Katz, Lipovetzky, Moshkovich & Tuisov, ICAPS 2017): whether some fact holds at a
// smaller value than in all states before. So a search tries something new where values are equally good.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace liftq {

class HeuristicNovelty {
 public:
  explicit HeuristicNovelty(size_t num_facts) : lowest_(num_facts, std::numeric_limits<int>::max()) {}

  bool see(std::span<const int> facts, int value) {
    bool is_novel = false;
    for (int fact : facts) {
      is_novel |= value < lowest_[fact];
      lowest_[fact] = std::min(lowest_[fact], value);
    }
    return is_novel;
  }

 private:
  std::vector<int> lowest_;  // by fact: the smallest value of all states with it
};

}  // namespace liftq
