// Applicable actions up to the exchange of twins: one representative per orbit, and how many actions it stands for.
#pragma once

#include <cstdint>
#include <vector>

#include "planning/actions.h"
#include "planning/twins.h"

namespace liftq {

struct Orbits : Actions {      // the representatives
  std::vector<int64_t> sizes;  // by orbit

  void reserve(size_t orbits, size_t arguments);                 // for as many more
  void clear();                                                  // keeps its memory
  void append(const Orbits& others, size_t first, size_t last);  // those from `first` to before `last`
};

// Replaces the arguments by those of the orbit's representative (each class's members in order of first use, from left
// to right) and returns the orbit's size.
int64_t canonicalize(const Twins& twins, int* arguments, int arity);

// All members of the orbit of these arguments, one after the other, in lexicographic order of ranks.
std::vector<int> orbit_members(const Twins& twins, const int* arguments, int arity);

}  // namespace liftq
