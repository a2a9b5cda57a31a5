// What a best-first search has not tried yet: by value, and of equals the oldest first. Several queues take turns, and
// those of preferred actions get a thousand extra turns whenever the search makes progress (LAMA; Richter & Westphal,
// JAIR 2010).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace liftq {

struct Edge {
  uint32_t parent, action;
};

class BucketQueue {
 public:
  void push(int value, Edge edge) {
    const auto bucket = static_cast<size_t>(std::min(value, kMost));
    if (bucket >= buckets_.size()) buckets_.resize(bucket + 1);
    buckets_[bucket].edges.push_back(edge);
    lowest_ = std::min(lowest_, bucket);
    ++size_;
  }

  Edge pop() {
    while (buckets_[lowest_].is_empty()) ++lowest_;
    --size_;
    return buckets_[lowest_].pop();
  }

  bool empty() const { return size_ == 0; }

 private:
  static constexpr int kMost = 1 << 16;  // whatever is beyond is equally bad

  struct Bucket {
    bool is_empty() const { return first == edges.size(); }
    Edge pop() {
      const Edge edge = edges[first++];
      if (is_empty()) {
        std::vector<Edge>().swap(edges);
        first = 0;
      }
      return edge;
    }
    std::vector<Edge> edges;
    size_t first = 0;
  };

  std::vector<Bucket> buckets_;
  size_t lowest_ = 0;  // no bucket below holds anything
  size_t size_ = 0;
};

template <size_t num_values>  // of a state: two queues for each
class OpenList {
 public:
  using Values = std::array<int, num_values>;

  void push(const Values& values, Edge edge, bool preferred) {
    for (size_t i = 0; i < num_values; ++i) {
      queues_[i].push(values[i], edge);
      if (preferred) queues_[num_values + i].push(values[i], edge);
    }
  }

  bool empty() const { return queues_[0].empty(); }  // all others hold edges of this one

  Edge pop() {
    size_t next = queues_.size();
    for (size_t i = 0; i < queues_.size(); ++i)
      if (!queues_[i].empty() && (next == queues_.size() || turns_[i] < turns_[next])) next = i;
    ++turns_[next];
    return queues_[next].pop();
  }

  void boost() {
    for (size_t i = num_values; i < queues_.size(); ++i) turns_[i] -= kBoost;
  }

 private:
  static constexpr int64_t kBoost = 1000;
  std::array<BucketQueue, 2 * num_values> queues_;  // of all actions, then of preferred ones
  std::array<int64_t, 2 * num_values> turns_{};     // taken, less those given
};

}  // namespace liftq
