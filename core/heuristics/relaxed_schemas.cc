#include "heuristics/relaxed_schemas.h"

namespace liftq {

namespace {

template <class Item>
void append(const std::vector<Item>& more, std::vector<Item>& items) {
  items.insert(items.end(), more.begin(), more.end());
}

Schema conditional(const Schema& schema, const ConditionalEffect& effect) {
  Schema result;
  static_cast<Condition&>(result) = effect;
  append(schema.positive, result.positive);
  append(schema.negative, result.negative);
  append(schema.equalities, result.equalities);
  result.adds = effect.adds;
  result.deletes = effect.deletes;
  return result;
}

}  // namespace

RelaxedSchemas::RelaxedSchemas(const Task& task) : schemas(task.schemas), stratum_of(task.predicates.size(), kNone) {
  for (size_t schema = 0; schema < task.schemas.size(); ++schema) action_of.push_back(static_cast<int>(schema));
  for (size_t schema = 0; schema < task.schemas.size(); ++schema)
    for (const ConditionalEffect& effect : task.schemas[schema].conditional_effects) {
      schemas.push_back(conditional(task.schemas[schema], effect));
      action_of.push_back(static_cast<int>(schema));
    }
  for (size_t stratum = 0; stratum < task.strata.size(); ++stratum)
    for (const Rule& rule : task.strata[stratum]) {
      static_cast<Condition&>(schemas.emplace_back()) = rule;
      schemas.back().adds.push_back(rule.head);
      action_of.push_back(kNone);
      stratum_of[rule.head.predicate] = static_cast<int>(stratum);
    }
}

}  // namespace liftq
