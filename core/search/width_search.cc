#include "search/width_search.h"

#include "basics/watch.h"

namespace liftq {

namespace {
constexpr size_t kAtomsPerWork = 4;
}  // namespace

std::vector<Step> WidthSearch::find(StateId start, size_t goals, size_t most_steps, uint64_t most_work) {
  const uint64_t before = work_done();
  has_held_.clear();
  is_novel(start);
  SearchTree tree;
  tree.add_root(start);
  is_out_of_work_ = false;
  for (uint32_t node = 0; node < tree.size() && tree.depth(node) < most_steps; ++node) {
    is_out_of_work_ = work_done() - before >= most_work;
    if (is_out_of_work_) break;
    engine_.orbits(tree.state(node), true, orbits_);
    for (size_t orbit = 0; orbit < orbits_.count(); ++orbit) {
      const int schema = orbits_.schema_of[orbit];
      const int* arguments = orbits_.arguments_of(orbit);
      const StateId state = engine_.successor(tree.state(node), schema, arguments);
      if (!is_novel(state)) continue;
      const uint32_t child = tree.add(state, node, schema, arguments, orbits_.arity_of(orbit));
      if (engine_.goals_left(state) < goals) return tree.plan(child);
    }
  }
  return {};
}

bool WidthSearch::is_novel(StateId state) {
  bool is_novel = false;
  const std::vector<AtomId>& atoms = engine_.atoms_of(state);
  poll(1 + atoms.size() / kAtomsPerWork);
  for (AtomId atom : atoms) {
    if (atom >= has_held_.size()) has_held_.resize(atom + 1, false);
    is_novel |= !has_held_[atom];
    has_held_[atom] = true;
  }
  return is_novel;
}

}  // namespace liftq
