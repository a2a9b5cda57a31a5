// Sorting that can be stopped.
#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "basics/watch.h"

namespace liftq {

// Asks the watch at every comparison if there are many, which costs a tenth; a million items take no time worth asking.
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
