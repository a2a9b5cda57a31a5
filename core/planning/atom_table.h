// Numbers fluent atoms when they first occur, so that nothing is grounded ahead of need.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "basics/index_set.h"
#include "basics/lists.h"

namespace liftq {

using AtomId = uint32_t;

class AtomTable {
 public:
  static constexpr AtomId kNone = IndexSet::kNone;

  AtomId intern(int predicate, const int* arguments, int arity);
  AtomId find(int predicate, const int* arguments, int arity) const;

  size_t size() const { return predicates_.size(); }
  int predicate(AtomId atom) const { return predicates_[atom]; }
  const int* arguments(AtomId atom) const { return arguments_[atom].data(); }
  int arity(AtomId atom) const { return static_cast<int>(arguments_[atom].size()); }
  uint64_t hash(AtomId atom) const { return hashes_[atom]; }

 private:
  AtomId find(uint64_t hash, int predicate, const int* arguments, int arity) const;

  std::vector<int> predicates_;
  Lists<> arguments_;
  std::vector<uint64_t> hashes_;
  IndexSet set_;
};

}  // namespace liftq
