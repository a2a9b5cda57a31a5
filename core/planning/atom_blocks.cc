#include "planning/atom_blocks.h"

#include <algorithm>

namespace liftq {

std::vector<AtomBlock> atom_blocks(Engine& engine, std::span<const StateId> states) {
  const AtomTable& table = engine.atoms();
  std::vector<AtomBlock> blocks(engine.task().predicates.size());
  std::vector<AtomId> atoms;
  for (size_t i = 0; i < states.size(); ++i) {
    atoms = engine.derived_atoms_of(states[i]);
    const std::vector<AtomId>& basic = engine.atoms_of(states[i]);
    atoms.insert(atoms.end(), basic.begin(), basic.end());
    std::sort(atoms.begin(), atoms.end(), [&](AtomId left, AtomId right) {
      if (table.predicate(left) != table.predicate(right)) return table.predicate(left) < table.predicate(right);
      return std::lexicographical_compare(table.arguments(left), table.arguments(left) + table.arity(left),
                                          table.arguments(right), table.arguments(right) + table.arity(right));
    });
    for (AtomId atom : atoms) {
      AtomBlock& block = blocks[table.predicate(atom)];
      block.arguments.insert(block.arguments.end(), table.arguments(atom), table.arguments(atom) + table.arity(atom));
      block.state_of.push_back(static_cast<int>(i));
    }
  }
  return blocks;
}

}  // namespace liftq
