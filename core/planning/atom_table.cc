#include "planning/atom_table.h"

#include <algorithm>

#include "basics/hash.h"

namespace liftq {

AtomId AtomTable::find(uint64_t hash, int predicate, const int* arguments, int arity) const {
  return set_.find(hash, [&](uint32_t atom) {
    return hashes_[atom] == hash && predicates_[atom] == predicate &&
           std::equal(arguments, arguments + arity, this->arguments(atom));
  });
}

AtomId AtomTable::find(int predicate, const int* arguments, int arity) const {
  return find(hash_atom(predicate, arguments, arity), predicate, arguments, arity);
}

AtomId AtomTable::intern(int predicate, const int* arguments, int arity) {
  const uint64_t hash = hash_atom(predicate, arguments, arity);
  AtomId atom = find(hash, predicate, arguments, arity);
  if (atom != kNone) return atom;
  atom = static_cast<AtomId>(size());
  try {
    predicates_.push_back(predicate);
    arguments_.append({arguments, static_cast<size_t>(arity)});
    hashes_.push_back(hash);
    set_.insert(hash, atom, [this](uint32_t index) { return hashes_[index]; });
  } catch (...) {  // out of memory: as if nothing had been asked
    predicates_.resize(atom);
    arguments_.truncate(atom);
    hashes_.resize(atom);
    throw;
  }
  return atom;
}

}  // namespace liftq
