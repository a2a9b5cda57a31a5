#include "planning/state_store.h"

#include <algorithm>
#include <stdexcept>

namespace liftq {

namespace {

void pack(const std::vector<AtomId>& atoms, std::vector<uint8_t>& bytes) {
  bytes.clear();
  AtomId previous = 0;
  for (AtomId atom : atoms) {
    AtomId gap = atom - previous;
    for (; gap >= 128; gap >>= 7) bytes.push_back(static_cast<uint8_t>(gap | 128));
    bytes.push_back(static_cast<uint8_t>(gap));
    previous = atom;
  }
}

}  // namespace

StateId StateStore::insert(const std::vector<AtomId>& atoms, uint64_t hash) {
  pack(atoms, scratch_);
  const uint32_t known = set_.find(
      hash, [&](uint32_t state) { return hashes_[state] == hash && std::ranges::equal(scratch_, packed_[state]); });
  if (known != IndexSet::kNone) return known;
  if (size() + 1 >= IndexSet::kNone) throw std::length_error("more than four billion states");
  const StateId state = static_cast<StateId>(size());
  try {
    packed_.append(scratch_);
    hashes_.push_back(hash);
    set_.insert(hash, state, [this](uint32_t index) { return hashes_[index]; });
  } catch (...) {  // out of memory: as if nothing had been asked
    packed_.truncate(state);
    hashes_.resize(state);
    throw;
  }
  return state;
}

void StateStore::unpack(StateId state, std::vector<AtomId>& atoms) const {
  atoms.clear();
  const uint8_t* byte = packed_[state].data();
  const uint8_t* end = byte + packed_[state].size();
  AtomId atom = 0;
  while (byte != end) {
    AtomId gap = 0;
    int shift = 0;
    for (; *byte & 128; ++byte, shift += 7) gap |= static_cast<AtomId>(*byte & 127) << shift;
    gap |= static_cast<AtomId>(*byte++) << shift;
    atoms.push_back(atom += gap);
  }
}

}  // namespace liftq
