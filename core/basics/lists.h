// Many lists of numbers in one array.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <vector>

#include "basics/watch.h"

namespace liftq {

class Lists {
 public:
  void add(int item) { items_.push_back(item); }  // to the list that `close` will end
  void close() {
    if (items_.size() > UINT32_MAX) throw std::bad_alloc();
    start_.push_back(static_cast<uint32_t>(items_.size()));
  }

  size_t count() const { return start_.size() - 1; }
  std::span<const int> operator[](size_t list) const {
    return {items_.data() + start_[list], items_.data() + start_[list + 1]};
  }

  // For each item below `num_items`: the lists that hold it, in order.
  Lists inverse(size_t num_items) const {
    Lists result;
    result.start_.assign(num_items + 1, 0);
    for (int item : items_) ++result.start_[static_cast<size_t>(item) + 1];
    for (size_t i = 0; i < num_items; ++i) result.start_[i + 1] += result.start_[i];
    result.items_.resize(items_.size());
    std::vector<uint32_t> next(result.start_.begin(), result.start_.end() - 1);
    for (size_t list = 0; list < count(); ++list) {
      poll((*this)[list].size());
      for (int item : (*this)[list]) result.items_[next[item]++] = static_cast<int>(list);
    }
    return result;
  }

 private:
  std::vector<uint32_t> start_{0};  // by list, into `items_`, with one past the end
  std::vector<int> items_;
};

}  // namespace liftq
