// States up to the exchange of objects that static atoms, goal, types and costs do not distinguish. States with the
// same key have the same plans, up to names. Equivalent states may get different keys.
#pragma once

#include <cstdint>
#include <vector>

#include "planning/engine.h"

namespace liftq {

class Canonical {
 public:
  explicit Canonical(Engine& engine);

  StateId key(StateId state);  // the state itself if no two objects are alike

 private:
  void refine();
  void settle(const std::vector<int>& alike);

  Engine& engine_;
  std::vector<std::vector<int>> classes_;  // of two objects and more, each in ascending order
  std::vector<uint8_t> is_open_;           // by object: in a class that has not been put in order yet
  std::vector<uint64_t> color_, next_;     // by object; equal for objects that are not yet distinguished
  std::vector<int> name_;                  // by object: what it is called in the key
  std::vector<AtomId> atoms_, renamed_;
  std::vector<int> arguments_, order_;
};

// The states that a search has visited, by their keys.
class Visited {
 public:
  explicit Visited(Engine& engine) : engine_(engine), canonical_(engine) {}

  bool add(StateId state);  // false if a state with this key was added before

 private:
  Engine& engine_;
  Canonical canonical_;
  std::vector<uint8_t> is_visited_;  // by key
};

}  // namespace liftq
