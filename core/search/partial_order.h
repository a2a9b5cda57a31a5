// Which steps of a plan must stay after which: those of which one changes an atom that the other changes or needs. Any
// order that respects this is a plan, too.
#pragma once

#include <cstddef>
#include <vector>

#include "planning/engine.h"
#include "search/plan.h"

namespace liftq {

class PartialOrder {
 public:
  PartialOrder(Engine& engine, const std::vector<Step>& plan);

  // Steps that one makes possible come next, so that one thing is finished after the other.
  std::vector<size_t> depth_first() const;

  struct Window {
    std::vector<size_t> steps;  // of the whole plan, in order
    size_t first, last;         // of the window: from `first` to before `last`
  };
  // The chosen steps side by side, with all that have to lie between them. Before them comes whatever can.
  Window around(const std::vector<size_t>& chosen) const;

 private:
  // By step: whether it is one of these, or has to stay after (or before) one of these.
  std::vector<bool> reached(const std::vector<size_t>& steps, const std::vector<std::vector<size_t>>& next) const;

  std::vector<std::vector<size_t>> before_, after_;  // by step; one that shares several atoms occurs several times
};

}  // namespace liftq
