// Sorting that can be stopped.
#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "basics/watch.h"

namespace liftq {

// Polls at every comparison, which costs 10 %, unless there are so few items that sorting them takes no time.
template <class Item, class Less = std::less<>>
void polling_sort(std::vector<Item>& items, Less less = {}) {
  poll(items.size());
  if (items.size() < (1 << 20)) return std::sort(items.begin(), items.end(), less);
  std::sort(items.begin(), items.end(), [&](const Item& left, const Item& right) {
    poll();
    return less(left, right);
  });
}

}  // namespace liftq
