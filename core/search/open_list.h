// The open list of a best-first search: ordered by value, and of equals the oldest first. Several queues take turns,
// and those of preferred actions get a thousand extra turns whenever the search makes progress (LAMA; Richter &
// Westphal, JAIR 2010). Another queue may explore, so that a search leaves regions where values are small but wrong
// (Xie, Müller, Holte & Imai, AAAI 2014).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <unordered_map>
#include <utility>
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
  static constexpr int kMost = 1 << 16;  // larger values count as equal

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

// Draws a kind of states, then an edge of that kind, so that rare kinds are drawn as often as others.
class ExploringQueue {
 public:
  void push(int value, size_t depth, Edge edge) {
    const uint64_t kind = uint64_t{depth} << 32 | static_cast<uint32_t>(value);
    const auto [entry, is_new] = place_of_.try_emplace(kind, kinds_.size());
    if (is_new) kinds_.push_back({kind, {}});
    kinds_[entry->second].edges.push_back(edge);
  }

  Edge pop() {
    const size_t place = generator_() % kinds_.size();
    std::vector<Edge>& edges = kinds_[place].edges;
    std::swap(edges[generator_() % edges.size()], edges.back());
    const Edge edge = edges.back();
    edges.pop_back();
    if (edges.empty()) remove(place);
    return edge;
  }

  bool empty() const { return kinds_.empty(); }

 private:
  struct Kind {
    uint64_t number;  // depth and value
    std::vector<Edge> edges;
  };

  void remove(size_t place) {
    place_of_.erase(kinds_[place].number);
    if (place + 1 < kinds_.size()) {
      kinds_[place] = std::move(kinds_.back());
      place_of_[kinds_[place].number] = place;
    }
    kinds_.pop_back();
  }

  std::vector<Kind> kinds_;
  std::unordered_map<uint64_t, size_t> place_of_;  // in kinds_
  std::mt19937 generator_;                         // the same numbers in every search
};

template <size_t num_values>  // of a state: two queues per value
class OpenList {
 public:
  using Values = std::array<int, num_values>;

  explicit OpenList(bool is_exploring) : is_exploring_(is_exploring) {}

  void push(const Values& values, size_t depth, Edge edge, bool preferred) {
    for (size_t i = 0; i < num_values; ++i) {
      queues_[i].push(values[i], edge);
      if (preferred) queues_[num_values + i].push(values[i], edge);
    }
    if (is_exploring_) exploring_.push(values[0], depth, edge);
  }

  bool empty() const { return queues_[0].empty(); }  // all others hold edges of this one

  Edge pop() {
    size_t next = queues_.size();
    for (size_t i = 0; i < queues_.size(); ++i)
      if (!queues_[i].empty() && (next == queues_.size() || turns_[i] < turns_[next])) next = i;
    if (!exploring_.empty() && turns_of_exploring_ < turns_[next]) {
      ++turns_of_exploring_;
      return exploring_.pop();
    }
    ++turns_[next];
    return queues_[next].pop();
  }

  // While exploring, at most a thousand extra turns are kept, so that exploring does not have to wait for long.
  void boost() {
    for (size_t i = num_values; i < queues_.size(); ++i)
      turns_[i] = (is_exploring_ ? turns_of_exploring_ : turns_[i]) - kBoost;
  }

 private:
  static constexpr int64_t kBoost = 1000;
  std::array<BucketQueue, 2 * num_values> queues_;  // of all actions, then of preferred ones
  std::array<int64_t, 2 * num_values> turns_{};     // turns taken, minus extra turns
  bool is_exploring_;
  ExploringQueue exploring_;
  int64_t turns_of_exploring_ = 0;
};

}  // namespace liftq
