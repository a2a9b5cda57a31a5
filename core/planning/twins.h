// Twins: objects whose exchange maps state, static atoms, goal, types and constants onto themselves.
//
// An object's signature is the sum of the hashes of its atoms with the object replaced by a placeholder. Objects that
// share no atom are twins if and only if their signatures agree (64 bits: a false match is as likely as a hardware
// fault). Objects that share atoms are compared without those, and the shared ones must survive the exchange.
#pragma once

#include <cstdint>
#include <vector>

#include "planning/atom_table.h"
#include "planning/task.h"

namespace liftq {

// A partition of the objects. A class is named after its smallest member.
struct Twins {
  std::vector<int> class_of;  // by object
  std::vector<int> rank;      // by object: its place within the class, in order of object numbers
  std::vector<int> size;      // by class
  std::vector<int> next;      // by object: the next member of its class, or -1
};

Twins singletons(int num_objects);  // one class per object

class TwinFinder {
 public:
  explicit TwinFinder(const Task& task);

  const Twins& static_twins() const { return coarse_; }
  const Twins& none() const { return none_; }  // one class per object
  const Twins& find(const std::vector<AtomId>& atoms, const AtomTable& table);

 private:
  struct SharedAtom {                  // by a pair of objects that are candidates for twins
    int left, right;                   // left < right
    uint64_t left_share, right_share;  // its part of their signatures
    uint64_t pair, swapped;            // its hash with both replaced, and with both exchanged
  };
  void add_atom(uint64_t tag, const int* arguments, int arity);
  void add_pair(uint64_t tag, int left, int right, const int* arguments, int arity);
  uint64_t hash_with(uint64_t tag, const int* arguments, int arity, int left, int left_to, int right,
                     int right_to) const;
  void split(const Twins& coarse, const std::vector<int>& candidates, Twins& fine);
  void join_pairs(const std::vector<int>& candidates, Twins& fine);
  uint64_t code(int object) const { return object < 0 ? placeholder_codes_[-1 - object] : codes_[object]; }

  std::vector<uint64_t> codes_;  // by object
  uint64_t placeholder_codes_[2];
  Twins none_, coarse_, fine_;
  std::vector<int> candidates_;        // objects in classes of two and more of the static partition
  std::vector<uint8_t> is_candidate_;  // by object
  std::vector<int> coarse_class_;      // by object, of the partition being refined
  std::vector<uint64_t> signature_;    // by object
  std::vector<SharedAtom> shared_;
  std::vector<int> slots_;  // hash table of class names, for split
};

}  // namespace liftq
