// A hash table of indices whose keys live elsewhere: open addressing, linear probing, no deletion.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace liftq {

class IndexSet {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  // Returns the stored index for which `equal(index)` holds among those with this hash, or kNone.
  template <class Equal>
  uint32_t find(uint64_t hash, Equal equal) const {
    if (slots_.empty()) return kNone;
    for (size_t slot = hash & mask(); slots_[slot] != kNone; slot = (slot + 1) & mask())
      if (equal(slots_[slot])) return slots_[slot];
    return kNone;
  }

  // The key must be new. `hash_of(index)` returns the hash of a stored index.
  template <class HashOf>
  void insert(uint64_t hash, uint32_t index, HashOf hash_of) {
    if ((count_ + 1) * 2 > slots_.size()) grow(hash_of);
    place(hash, index);
    ++count_;
  }

 private:
  size_t mask() const { return slots_.size() - 1; }

  void place(uint64_t hash, uint32_t index) {
    size_t slot = hash & mask();
    while (slots_[slot] != kNone) slot = (slot + 1) & mask();
    slots_[slot] = index;
  }

  template <class HashOf>
  void grow(HashOf hash_of) {
    std::vector<uint32_t> old(slots_.empty() ? 16 : slots_.size() * 2, kNone);
    old.swap(slots_);
    for (uint32_t index : old)
      if (index != kNone) place(hash_of(index), index);
  }

  std::vector<uint32_t> slots_;
  size_t count_ = 0;
};

}  // namespace liftq
