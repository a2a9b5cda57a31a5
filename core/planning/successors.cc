#include "planning/successors.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <span>

#include "basics/sort.h"

namespace liftq {

void SuccessorGenerator::generate(Snapshot& snapshot, const Twins& twins, Orbits& orbits) {
  orbits.clear();
  for (size_t schema = 0; schema < task_.schemas.size(); ++schema) {
    join_.run(task_.schemas[schema], snapshot, twins);
    const int arity = static_cast<int>(task_.schemas[schema].parameter_types.size());
    found_sizes_.clear();
    for (size_t action = 0; action < join_.count(); ++action) {
      poll();
      found_sizes_.push_back(canonicalize(twins, join_.bindings().data() + action * arity, arity));
    }
    sort_actions(arity, orbits, static_cast<int>(schema));
  }
}

void SuccessorGenerator::sort_actions(int arity, Orbits& orbits, int schema) {
  const std::vector<int>& found = join_.bindings();
  const size_t count = found_sizes_.size();
  const auto row = [&](uint32_t action) {
    return std::span<const int>(found.data() + static_cast<size_t>(action) * arity, arity);
  };
  const int bits = std::bit_width(static_cast<unsigned>(task_.num_objects()));
  const int index_bits = std::bit_width(count);
  order_.resize(count);
  if (bits * arity + index_bits <= 64) {  // arguments and number of an action in one word: sort words
    sort_keys_.resize(count);
    for (uint32_t action = 0; action < count; ++action) {
      uint64_t key = 0;
      for (int i = 0; i < arity; ++i) key = key << bits | static_cast<uint64_t>(row(action)[i]);
      sort_keys_[action] = key << index_bits | action;
    }
    polling_sort(sort_keys_);
    for (size_t i = 0; i < count; ++i)
      order_[i] = static_cast<uint32_t>(sort_keys_[i] & ((uint64_t{1} << index_bits) - 1));
  } else {
    std::iota(order_.begin(), order_.end(), 0);
    polling_sort(order_, [&](uint32_t left, uint32_t right) {
      return std::ranges::lexicographical_compare(row(left), row(right));
    });
  }
  orbits.reserve(count, found.size());
  for (uint32_t action : order_) {
    poll();
    orbits.add(schema, row(action));
    orbits.sizes.push_back(found_sizes_[action]);
  }
}

bool SuccessorGenerator::applicable(const Task& task, Snapshot& snapshot, int schema_index, const int* arguments) {
  const Schema& schema = task.schemas[schema_index];
  for (size_t i = 0; i < schema.parameter_types.size(); ++i)
    if (!task.types[schema.parameter_types[i]].contains[arguments[i]]) return false;
  for (const Equality& equality : schema.equalities)
    if ((term_value(equality.left, arguments) == term_value(equality.right, arguments)) != equality.equal) return false;
  std::vector<int> key;
  const auto holds = [&](const LiftedAtom& atom) {
    key.clear();
    for (int term : atom.terms) key.push_back(term_value(term, arguments));
    const auto& predicate = task.predicates[atom.predicate];
    return predicate.is_static ? predicate.rows.contains(key.data()) : snapshot.contains(atom.predicate, key.data());
  };
  return std::all_of(schema.positive.begin(), schema.positive.end(), holds) &&
         std::none_of(schema.negative.begin(), schema.negative.end(), holds);
}

}  // namespace liftq
