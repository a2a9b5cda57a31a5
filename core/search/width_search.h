// Breadth-first search for the nearest state with fewer open goals than given, among states in which an atom holds for
// the first time: IW(1), as in serialized iterated width (Lipovetzky & Geffner, ECAI 2012). It values no state and
// grounds nothing, and expands at most one state for each atom.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "planning/engine.h"
#include "search/search_tree.h"

namespace liftq {

class WidthSearch {
 public:
  explicit WidthSearch(Engine& engine) : engine_(engine) {}

  // The way there, found by about so much work at most (see basics/watch.h). Empty if none was found.
  std::vector<Step> find(StateId start, size_t goals, size_t most_steps, uint64_t most_work);
  bool is_out_of_work() const { return is_out_of_work_; }  // more might have found one

 private:
  bool is_novel(StateId state);

  Engine& engine_;
  std::vector<bool> has_held_;  // by atom
  Orbits orbits_;
  bool is_out_of_work_ = false;
};

}  // namespace liftq
