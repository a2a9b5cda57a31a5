// Derives atoms from a state by rules, stratum by stratum. Within a stratum, each round joins only the atoms that the
// previous round derived (semi-naive evaluation).
#pragma once

#include <cstdint>
#include <vector>

#include "planning/atom_table.h"
#include "planning/join.h"
#include "planning/snapshot.h"
#include "planning/task.h"

namespace liftq {

class Axioms {
 public:
  Axioms(const Task& task, const std::vector<Stratum>& strata, AtomTable& table);

  // Adds all derived atoms to the snapshot and returns them.
  void derive(Snapshot& snapshot, std::vector<AtomId>& derived);

 private:
  struct Use {  // of a predicate in a rule of its own stratum
    const Rule* rule;
    size_t atom;
    uint32_t begin = 0;  // the first of its rows that has not been joined here
  };
  void add_heads(const Rule& rule, Snapshot& snapshot, std::vector<AtomId>& derived);

  const std::vector<Stratum>& strata_;
  AtomTable& table_;
  Join join_;
  Twins none_;
  std::vector<std::vector<Use>> uses_;  // by stratum
  std::vector<int> key_;
};

// Turns the predicates of `static_strata` into static ones, once and for all.
void settle_static_axioms(Task& task);

}  // namespace liftq
