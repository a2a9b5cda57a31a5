// Every state once, as a number. A state is packed as the gaps between its sorted atom numbers, one byte per gap below
// 128: about one byte per true fluent atom, plus 24 bytes for its place, its hash and its slot in the hash table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "basics/index_set.h"
#include "basics/lists.h"
#include "planning/atom_table.h"

namespace liftq {

using StateId = uint32_t;

class StateStore {
 public:
  // `atoms` are sorted; `hash` is the sum of their hashes.
  StateId insert(const std::vector<AtomId>& atoms, uint64_t hash);
  void unpack(StateId state, std::vector<AtomId>& atoms) const;
  uint64_t hash(StateId state) const { return hashes_[state]; }
  size_t size() const { return hashes_.size(); }

 private:
  Lists<uint8_t, uint64_t> packed_;  // by state
  std::vector<uint64_t> hashes_;
  IndexSet set_;
  std::vector<uint8_t> scratch_;
};

}  // namespace liftq
