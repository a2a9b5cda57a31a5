// Operators of a delete relaxation that no cheapest way to a proposition needs: for each of their effects, another one
// costs no more and needs no more. Fast Downward leaves them out of h_add and h_FF, too (Helmert, JAIR 2006).
#pragma once

#include <vector>

#include "heuristics/relaxation.h"

namespace liftq {

// Propositions cost the same as with all operators and effects. Of equal operators, the first is here.
struct Undominated {
  Relaxation relaxation;    // only what is explored: not how states are read
  std::vector<int> origin;  // by operator: its number among all
};

const Undominated& without_dominated(const Relaxation& relaxation);  // the same whenever it is called

}  // namespace liftq
