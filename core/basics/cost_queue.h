// A priority queue of numbers by cost; among equals, the last one in is the first one out.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace liftq {

// One bucket per small cost. Large costs, which would need too many buckets, wait in a heap.
class CostQueue {
 public:
  void push(int cost, int item) {
    if (cost >= kBuckets) return push_large(cost, item);
    if (static_cast<size_t>(cost) >= buckets_.size()) buckets_.resize(cost + 1);
    buckets_[cost].push_back(item);
    ++size_;
    if (cost < lowest_) lowest_ = cost;
  }

  bool empty() const { return size_ == 0; }

  void clear() {  // what an exploration that was stopped has left
    if (empty()) return;
    for (auto& bucket : buckets_) bucket.clear();
    heap_.clear();
    size_ = 0;
  }

  std::pair<int, int> pop() {  // cost and item
    --size_;
    while (lowest_ < static_cast<int>(buckets_.size()) && buckets_[lowest_].empty()) ++lowest_;
    if (lowest_ == static_cast<int>(buckets_.size())) return pop_large();
    const int item = buckets_[lowest_].back();
    buckets_[lowest_].pop_back();
    return {lowest_, item};
  }

 private:
  static constexpr int kBuckets = 1 << 14;
  struct Entry {
    int cost, item;
    uint64_t time;
    bool operator<(const Entry& other) const {  // is to leave the heap later
      return cost != other.cost ? cost > other.cost : time < other.time;
    }
  };

  void push_large(int cost, int item) {
    heap_.push_back({cost, item, time_++});
    std::push_heap(heap_.begin(), heap_.end());
    ++size_;
  }

  std::pair<int, int> pop_large() {
    std::pop_heap(heap_.begin(), heap_.end());
    const Entry entry = heap_.back();
    heap_.pop_back();
    return {entry.cost, entry.item};
  }

  std::vector<std::vector<int>> buckets_;
  int lowest_ = 0;  // no bucket below holds anything
  size_t size_ = 0;
  std::vector<Entry> heap_;
  uint64_t time_ = 0;
};

}  // namespace liftq
