#include "planning/relation.h"

#include "basics/watch.h"

namespace liftq {

Relation::Index::Index(const Relation& relation, uint32_t positions) : relation_(relation), positions_(positions) {
  std::vector<uint32_t> first_row;  // by group
  std::vector<uint32_t> group_of;   // by row
  for (uint32_t row = 0; row < relation.size(); ++row) {
    poll();
    const int* key = relation.row(row);
    uint32_t group =
        groups_.find(hash(key), [&](uint32_t other) { return agree(relation.row(first_row[other]), key); });
    if (group == IndexSet::kNone) {
      group = static_cast<uint32_t>(first_row.size());
      first_row.push_back(row);
      groups_.insert(hash(key), group, [&](uint32_t other) { return hash(relation.row(first_row[other])); });
    }
    group_of.push_back(group);
  }
  rows_.group(first_row.size(), [&](auto add) {
    for (uint32_t row = 0; row < relation.size(); ++row) add(group_of[row], row);
  });
}

uint64_t Relation::Index::hash(const int* key) const {
  uint64_t sum = 0;
  for (int i = 0; i < relation_.arity(); ++i)
    if (positions_ >> i & 1) sum = (sum + static_cast<uint64_t>(key[i]) + 1) * 0x9e3779b97f4a7c15ULL;
  return sum ^ (sum >> 32);
}

bool Relation::Index::agree(const int* left, const int* right) const {
  for (int i = 0; i < relation_.arity(); ++i)
    if ((positions_ >> i & 1) && left[i] != right[i]) return false;
  return true;
}

std::span<const uint32_t> Relation::Index::find(const int* key) const {
  const auto same = [&](uint32_t group) { return agree(relation_.row(rows_[group].front()), key); };
  const uint32_t group = groups_.find(hash(key), same);
  if (group == IndexSet::kNone) return {};
  return rows_[group];
}

double Relation::Index::mean_matches() const {
  return rows_.count() == 0 ? 0 : static_cast<double>(rows_.items().size()) / static_cast<double>(rows_.count());
}

const Relation::Index& Relation::index(uint32_t positions) const {
  for (const auto& index : indices_)
    if (index->positions_ == positions) return *index;
  return *indices_.emplace_back(std::make_unique<Index>(*this, positions));
}

uint32_t Relation::find(const int* row) const {
  const auto rows = index(all_positions()).find(row);
  return rows.empty() ? IndexSet::kNone : rows.front();
}

}  // namespace liftq
