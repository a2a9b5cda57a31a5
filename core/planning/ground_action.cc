#include "planning/ground_action.h"

#include <algorithm>

namespace liftq {

void ground(Engine& engine, int schema_index, const int* arguments, GroundAction& action) {
  const Schema& schema = engine.task().schemas[schema_index];
  GroundAtom ground;
  const auto fill = [&](const std::vector<LiftedAtom>& lifted, std::vector<AtomId>& atoms) {
    atoms.clear();
    for (const LiftedAtom& atom : lifted) {
      if (engine.task().predicates[atom.predicate].is_static) continue;
      ground.predicate = atom.predicate;
      ground.arguments.clear();
      for (int term : atom.terms) ground.arguments.push_back(term_value(term, arguments));
      atoms.push_back(engine.intern(ground));
    }
  };
  fill(schema.positive, action.needs);
  fill(schema.negative, action.forbids);
  fill(schema.adds, action.adds);
  fill(schema.deletes, action.deletes);
  std::erase_if(action.deletes, [&](AtomId atom) {
    return std::find(action.adds.begin(), action.adds.end(), atom) != action.adds.end();
  });
}

}  // namespace liftq
