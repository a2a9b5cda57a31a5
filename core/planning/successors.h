// Finds the applicable actions of a state: the bindings of their preconditions, as orbits.
#pragma once

#include <cstdint>
#include <vector>

#include "planning/join.h"
#include "planning/orbits.h"
#include "planning/snapshot.h"
#include "planning/task.h"
#include "planning/twins.h"

namespace liftq {

class SuccessorGenerator {
 public:
  explicit SuccessorGenerator(const Task& task) : task_(task), join_(task) {}

  // Orbits sorted by schema and arguments, so that the order does not depend on how the state was reached.
  void generate(Snapshot& snapshot, const Twins& twins, Orbits& orbits);

  static bool applicable(const Task& task, Snapshot& snapshot, int schema, const int* arguments);

 private:
  void sort_actions(int arity, Orbits& orbits, int schema);

  const Task& task_;
  Join join_;
  std::vector<int64_t> found_sizes_;  // by action: the size of its orbit
  std::vector<uint64_t> sort_keys_;
  std::vector<uint32_t> order_;
};

}  // namespace liftq
