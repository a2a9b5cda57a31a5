// Many lists in one array: compressed sparse rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <span>
#include <vector>

namespace liftq {

template <class Item = int, class Place = uint32_t>
class Lists {
 public:
  void add(Item item) { items_.push_back(item); }  // to the list that `close` will end
  void close() {
    if (items_.size() > std::numeric_limits<Place>::max()) throw std::bad_alloc();
    starts_.push_back(static_cast<Place>(items_.size()));
  }
  void append(std::span<const Item> list) {
    if (list.size() > 16)
      items_.insert(items_.end(), list.begin(), list.end());
    else
      for (const Item& item : list) items_.push_back(item);  // faster for so few
    close();
  }
  void append(const Lists& others, size_t first, size_t last) {
    for (size_t list = first; list < last; ++list) append(others[list]);
  }
  void reserve(size_t lists, size_t items) {  // for as many more
    starts_.reserve(starts_.size() + lists);
    items_.reserve(items_.size() + items);
  }
  void truncate(size_t count) {  // keeps the first ones, and the memory of the others
    starts_.resize(count + 1);
    items_.resize(starts_[count]);
  }

  // Puts items in `count` lists. for_each(add) calls add(list, item) for every item: twice, first to count them.
  template <class ForEach>
  void group(size_t count, ForEach for_each) {
    size_t total = 0;
    starts_.assign(count + 2, 0);
    for_each([&](size_t list, Item) { ++starts_[list + 2], ++total; });
    if (total > std::numeric_limits<Place>::max()) throw std::bad_alloc();
    items_.resize(total);
    for (size_t list = 2; list <= count; ++list) starts_[list] += starts_[list - 1];
    for_each([&](size_t list, Item item) { items_[starts_[list + 1]++] = item; });
    starts_.pop_back();
  }

  size_t count() const { return starts_.size() - 1; }
  std::span<const Item> operator[](size_t list) const {
    return {items_.data() + starts_[list], items_.data() + starts_[list + 1]};
  }
  const std::vector<Item>& items() const { return items_; }  // of all lists

 private:
  std::vector<Place> starts_{0};
  std::vector<Item> items_;
};

}  // namespace liftq
