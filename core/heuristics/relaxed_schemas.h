// Everything that can make atoms true, as schemas: actions with their unconditional effects, conditional effects as
// separate schemas, and rules as schemas without cost.
#pragma once

#include <vector>

#include "planning/task.h"

namespace liftq {

struct RelaxedSchemas {
  explicit RelaxedSchemas(const Task& task);

  static constexpr int kNone = -1;
  std::vector<Schema>
      schemas;  // first those of the task; what is one of several of an action begins with its parameters
  std::vector<int> action_of;   // by schema: that of the task, or kNone for a rule
  std::vector<int> stratum_of;  // by predicate: that of its rules, or kNone
};

}  // namespace liftq
