// Checks of numbers that come from outside, so that the core may trust them afterwards.
#pragma once

#include <cstddef>
#include <stdexcept>

namespace liftq {

inline void require(bool condition, const char* message) {
  if (!condition) throw std::invalid_argument(message);
}

inline int checked(int index, size_t count, const char* message) {
  require(index >= 0 && static_cast<size_t>(index) < count, message);
  return index;
}

}  // namespace liftq
