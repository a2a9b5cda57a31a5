// The contract of a heuristic: an estimate of the cost to the goal on a delete relaxation. Each is one file of this
// folder and registers itself by name; no other code refers to it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "basics/registry.h"
#include "heuristics/relaxation.h"

namespace liftq {

class Heuristic {
 public:
  static constexpr int64_t kInfinite = -1;  // no relaxed plan, and so no plan

  virtual ~Heuristic() = default;
  // Of the state in which exactly these propositions hold, in increasing order. In units of the relaxation's costs.
  virtual int64_t value(std::span<const int> state) = 0;
  // The operators of the relaxed plan behind the last value, if the heuristic computes one.
  virtual std::span<const int> relaxed_plan() const { return {}; }
};

struct HeuristicKind {
  static constexpr const char* kNoun = "heuristic";
  bool is_lower_bound;  // on the cost of every plan
  const char* description;
  std::unique_ptr<Heuristic> (*make)(const Relaxation& relaxation);  // which outlives it
};

template <class Kind>
std::unique_ptr<Heuristic> make_heuristic(const Relaxation& relaxation) {
  return std::make_unique<Kind>(relaxation);
}

}  // namespace liftq
