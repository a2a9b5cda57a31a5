// Actions as schemas and arguments.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "basics/lists.h"

namespace liftq {

struct Actions {
  std::vector<int> schema_of;  // by action
  Lists<> arguments;           // by action: objects

  size_t count() const { return schema_of.size(); }
  const int* arguments_of(size_t action) const { return arguments[action].data(); }
  int arity_of(size_t action) const { return static_cast<int>(arguments[action].size()); }
  bool is_before(size_t action, const Actions& others, size_t other) const {  // by schema and arguments
    if (schema_of[action] != others.schema_of[other]) return schema_of[action] < others.schema_of[other];
    return std::ranges::lexicographical_compare(arguments[action], others.arguments[other]);
  }
  void add(int schema, std::span<const int> objects) {
    schema_of.push_back(schema);
    arguments.append(objects);
  }
};

}  // namespace liftq
