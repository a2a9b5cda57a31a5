#include "networks/encoding.h"

#include <algorithm>
#include <numeric>

#include "basics/checks.h"

namespace liftq {

namespace {

void check_relations(const Encoding& encoding, const std::vector<int>& relations, const std::vector<int>& arities) {
  require(relations.size() == arities.size(), "an encoding names a relation, or -1, for each predicate and schema");
  for (size_t i = 0; i < relations.size(); ++i) {
    if (relations[i] < 0) continue;
    checked(relations[i], encoding.arity.size(), "no such relation");
    require(encoding.arity[relations[i]] == arities[i], "a relation has another arity than its atoms");
  }
}

void check_orders(const std::vector<std::vector<int>>& orders, const std::vector<int>& lengths) {
  require(orders.size() == lengths.size(), "an encoding has an order of arguments for each predicate and schema");
  for (size_t i = 0; i < orders.size(); ++i) {
    std::vector<int> positions(lengths[i]);
    std::iota(positions.begin(), positions.end(), 0);
    require(std::is_permutation(orders[i].begin(), orders[i].end(), positions.begin(), positions.end()),
            "an order names each argument once");
  }
}

}  // namespace

void check_encoding(const Encoding& encoding, const Task& task) {
  std::vector<int> predicates, schemas;
  for (const auto& predicate : task.predicates) predicates.push_back(predicate.arity);
  for (const auto& schema : task.schemas) schemas.push_back(static_cast<int>(schema.parameter_types.size()));
  check_orders(encoding.predicate_order, predicates);
  check_orders(encoding.schema_order, schemas);
  for (int& arity : predicates) arity = std::max(1, arity);
  std::vector<int> relaxed;
  for (int arity : schemas) relaxed.push_back(std::max(1, arity));
  check_relations(encoding, encoding.relaxed, relaxed);
  check_relations(encoding, {encoding.helpful, encoding.dead_end, encoding.too_large}, {1, 1, 1});
  for (int& arity : schemas) ++arity;  // the action itself comes first
  for (const std::vector<int>* relations :
       {&encoding.atom, &encoding.goal_true, &encoding.goal_false, &encoding.forbidden_true, &encoding.forbidden_false})
    check_relations(encoding, *relations, predicates);
  check_relations(encoding, encoding.action, schemas);
  for (const GroundAtom& atom : encoding.presumed) {
    const int predicate = checked(atom.predicate, task.predicates.size(), "a presumed goal of no predicate");
    require(static_cast<int>(atom.arguments.size()) == task.predicates[predicate].arity,
            "a presumed goal with another number of arguments than its predicate");
    for (int object : atom.arguments) checked(object, task.object_type.size(), "a presumed goal about no object");
  }
  require(encoding.types.size() == task.object_type.size(), "an encoding lists the types of each object");
  for (const std::vector<int>& types : encoding.types)
    check_relations(encoding, types, std::vector<int>(types.size(), 1));
}

void check_candidates(const Encoding& encoding, const Task& task, const Orbits& orbits) {
  for (int relation : encoding.action) require(relation >= 0, "there is a schema without a relation for its actions");
  for (size_t orbit = 0; orbit < orbits.count(); ++orbit) {
    const int schema = checked(orbits.schema_of[orbit], task.schemas.size(), "candidates of another task");
    const size_t arity = task.schemas[schema].parameter_types.size();
    require(static_cast<size_t>(orbits.arity_of(orbit)) == arity, "candidates of another task");
  }
  for (int object : orbits.arguments.items()) checked(object, task.object_type.size(), "candidates of another task");
}

}  // namespace liftq
