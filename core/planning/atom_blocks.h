// The atoms of many states as flat arrays, one block per fluent or derived predicate: for Python.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "planning/engine.h"

namespace liftq {

struct AtomBlock {
  std::vector<int> arguments;  // [atoms, arity], row by row
  std::vector<int> state_of;   // by atom: index into the given states
};

// By predicate; static predicates have empty blocks, since their atoms belong to the task. Rows come in order of
// state and, within a state, of arguments.
std::vector<AtomBlock> atom_blocks(Engine& engine, std::span<const StateId> states);

}  // namespace liftq
