// Applicable actions up to the exchange of twins: one representative per orbit, and how many actions it stands for.
#pragma once

#include <cstdint>
#include <vector>

#include "planning/twins.h"

namespace liftq {

struct Orbits {
  std::vector<int> schema_of;            // by orbit
  std::vector<uint32_t> first_argument;  // by orbit, into `arguments`, with one past the end
  std::vector<int> arguments;
  std::vector<int64_t> sizes;  // by orbit

  size_t count() const { return schema_of.size(); }
  const int* arguments_of(size_t orbit) const { return arguments.data() + first_argument[orbit]; }
  int arity_of(size_t orbit) const { return static_cast<int>(first_argument[orbit + 1] - first_argument[orbit]); }
  Orbits part(size_t first, size_t last) const;  // from `first` to before `last`
};

// Replaces the arguments by those of the orbit's representative (each class's members in order of first use, from left
// to right) and returns the orbit's size.
int64_t canonicalize(const Twins& twins, int* arguments, int arity);

// All members of the orbit of these arguments, one after the other, in lexicographic order of ranks.
std::vector<int> orbit_members(const Twins& twins, const int* arguments, int arity);

}  // namespace liftq
