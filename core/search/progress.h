// How close a policy has come to the goal, by its own values, and for how long it has come no closer.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace liftq {

class Progress {
 public:
  void see(uint32_t node, float value) {  // of its best candidate
    ++num_passes_;
    if (value > best_ - kImprovement) return;
    best_ = value;
    node_ = node;
    num_passes_ = 0;
  }

  void restart() { best_ = std::numeric_limits<float>::infinity(); }  // whatever comes next is closer

  bool is_closer() const { return num_passes_ == 0; }  // than ever before, with the last state seen
  bool is_lost() const { return static_cast<float>(num_passes_) > kPatience + kShare * std::max(0.0F, best_); }
  uint32_t node() const { return node_; }  // the closest
  float best() const { return best_; }     // its value

 private:
  static constexpr float kImprovement = 0.5F;  // less may be an error of the network
  static constexpr float kPatience = 50;       // passes without improvement: bundled policies rarely need 30,
  static constexpr float kShare = 0.1F;        // and this share of those that the policy expects
  float best_ = std::numeric_limits<float>::infinity();
  uint32_t node_ = 0;
  size_t num_passes_ = 0;  // since then
};

}  // namespace liftq
