// One state, prepared for joins: the rows of each fluent predicate and, where a join needs it, an index on a position.
// Loading a state clears nothing: entries of the current state carry its stamp.
#pragma once

#include <cstdint>
#include <vector>

#include "planning/atom_table.h"
#include "planning/task.h"

namespace liftq {

class Snapshot {
 public:
  static constexpr uint32_t kEnd = UINT32_MAX;

  Snapshot(const Task& task, const AtomTable& table);

  void load(const std::vector<AtomId>& atoms);
  bool add(AtomId atom);  // one that is derived from the others; false if it is there already

  uint32_t num_rows(int predicate) const { return fluents_[predicate].num_rows; }
  const int* row(int predicate, uint32_t index) const {
    const Fluent& fluent = fluents_[predicate];
    return fluent.rows.data() + static_cast<size_t>(index) * fluent.arity;
  }
  bool contains(int predicate, const int* arguments);
  bool contains(AtomId atom) const { return atom < stamp_of_.size() && stamp_of_[atom] == stamp_; }

  // Rows whose argument at `position` is `object`, as a linked list.
  struct Bucket {
    uint32_t count, first;
    const uint32_t* next;
  };
  Bucket bucket(int predicate, int position, int object);

 private:
  struct PositionIndex {
    uint64_t stamp = 0;     // of the state it was built for
    uint32_t num_rows = 0;  // that are in it
    std::vector<uint64_t> stamps;
    std::vector<uint32_t> first, count;  // by object, valid where `stamps` agrees
    std::vector<uint32_t> next;          // by row
  };
  struct Fluent {
    int arity = 0;
    uint32_t num_rows = 0;
    std::vector<int> rows;
    std::vector<PositionIndex> indices;  // by position
  };
  void extend_index(const Fluent& fluent, int position, PositionIndex& index) const;

  const Task& task_;
  const AtomTable& table_;
  std::vector<Fluent> fluents_;     // by predicate; empty for static ones
  std::vector<uint64_t> stamp_of_;  // by atom
  uint64_t stamp_ = 0;
};

}  // namespace liftq
