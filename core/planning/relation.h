// The rows of one static predicate (or function), with an index for each set of positions that a join uses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "basics/index_set.h"
#include "basics/lists.h"

namespace liftq {

class Relation {
 public:
  explicit Relation(int arity) : arity_(arity) {}
  // Without the indices, which point back to their relation.
  Relation(const Relation& other) : arity_(other.arity_), size_(other.size_), rows_(other.rows_) {}

  void add(const int* row) { rows_.insert(rows_.end(), row, row + arity_), ++size_; }
  int arity() const { return arity_; }
  uint32_t size() const { return size_; }
  const int* row(uint32_t index) const { return rows_.data() + static_cast<size_t>(index) * arity_; }

  // Finds the rows that agree with a key. The key has a value for every position; only indexed positions count.
  class Index {
   public:
    Index(const Relation& relation, uint32_t positions);
    std::span<const uint32_t> find(const int* key) const;
    double mean_matches() const;

   private:
    friend class Relation;
    uint64_t hash(const int* key) const;
    bool agree(const int* left, const int* right) const;

    const Relation& relation_;
    uint32_t positions_;    // bit set
    Lists<uint32_t> rows_;  // by group: rows with equal keys
    IndexSet groups_;
  };
  const Index& index(uint32_t positions) const;  // built on demand
  uint32_t find(const int* row) const;           // its number, or IndexSet::kNone
  bool contains(const int* row) const { return find(row) != IndexSet::kNone; }
  uint32_t all_positions() const { return (1u << arity_) - 1; }

 private:
  int arity_;
  uint32_t size_ = 0;
  std::vector<int> rows_;
  mutable std::vector<std::unique_ptr<Index>> indices_;
};

}  // namespace liftq
