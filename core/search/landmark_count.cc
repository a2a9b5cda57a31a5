#include "search/landmark_count.h"

#include <algorithm>

namespace liftq {

LandmarkCount::LandmarkCount(const Relaxation& relaxation, Landmarks landmarks)
    : landmarks_(std::move(landmarks)), num_words_((landmarks_.count() + 63) / 64) {
  landmark_of_.assign(relaxation.num_propositions(), Relaxation::kNone);
  for (size_t i = 0; i < landmarks_.count(); ++i) landmark_of_[landmarks_.propositions[i]] = static_cast<int>(i);
}

bool LandmarkCount::is_reached(uint64_t node, size_t landmark) const {
  return reached_[node * num_words_ + landmark / 64] >> landmark % 64 & 1;
}

bool LandmarkCount::is_needed_again(uint64_t node, size_t landmark) const {
  const auto is_open = [&](int other) { return !is_reached(node, static_cast<size_t>(other)); };
  return landmarks_.is_goal[landmark] || std::ranges::any_of(landmarks_.needed_for[landmark], is_open);
}

int LandmarkCount::add(uint32_t parent, std::span<const int> state) {
  holds_.assign(num_words_, 0);
  for (int proposition : state)
    if (const int landmark = landmark_of_[proposition]; landmark >= 0) holds_[landmark / 64] |= 1ULL << landmark % 64;
  const uint64_t node = num_words_ == 0 ? 0 : reached_.size() / num_words_;
  reached_.insert(reached_.end(), holds_.begin(), holds_.end());
  for (size_t word = 0; word < num_words_ && parent != kNone; ++word)
    reached_[node * num_words_ + word] |= reached_[uint64_t{parent} * num_words_ + word];
  int count = 0;
  for (size_t i = 0; i < landmarks_.count(); ++i) {
    if (holds_[i / 64] >> i % 64 & 1) continue;
    count += !is_reached(node, i) || is_needed_again(node, i);
  }
  return count;
}

}  // namespace liftq
