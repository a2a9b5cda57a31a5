#include "planning/task.h"

#include <algorithm>
#include <stdexcept>

namespace liftq {

double action_cost(const Task& task, int schema_index, const int* arguments) {
  const Schema& schema = task.schemas[schema_index];
  if (schema.cost_function < 0) return schema.cost;
  const Function& function = task.functions[schema.cost_function];
  std::vector<int> key;
  for (int term : schema.cost_terms) key.push_back(term_value(term, arguments));
  const uint32_t row = function.arguments.find(key.data());
  if (row == IndexSet::kNone)
    throw std::domain_error(
        "the problem gives no value for the cost of an applicable action\n"
        "  Add one to `:init` for all arguments, as in `(= (distance a b) 1)`.");
  return function.values[row];
}

bool is_plain(const Task& task, const Schema& schema) {
  const auto is_derived = [&](const LiftedAtom& atom) {
    return task.predicates[atom.predicate].is_derived && !task.predicates[atom.predicate].is_static;
  };
  return schema.conditional_effects.empty() && std::ranges::none_of(schema.positive, is_derived) &&
         std::ranges::none_of(schema.negative, is_derived);
}

bool is_plain(const Task& task) {
  return task.strata.empty() &&
         std::ranges::all_of(task.schemas, [&](const Schema& schema) { return is_plain(task, schema); });
}

}  // namespace liftq
