#include "planning/axioms.h"

#include <algorithm>
#include <set>

#include "basics/watch.h"

namespace liftq {

Axioms::Axioms(const Task& task, const std::vector<Stratum>& strata, AtomTable& table)
    : strata_(strata), table_(table), join_(task), none_(singletons(task.num_objects())) {
  for (const Stratum& stratum : strata_) {
    std::set<int> own;
    for (const Rule& rule : stratum) own.insert(rule.head.predicate);
    auto& uses = uses_.emplace_back();
    for (const Rule& rule : stratum)
      for (size_t atom = 0; atom < rule.positive.size(); ++atom)
        if (own.contains(rule.positive[atom].predicate)) uses.push_back({&rule, atom});
  }
}

void Axioms::derive(Snapshot& snapshot, std::vector<AtomId>& derived) {
  derived.clear();
  for (size_t s = 0; s < strata_.size(); ++s) {
    for (const Rule& rule : strata_[s]) {
      join_.run(rule, snapshot, none_);
      add_heads(rule, snapshot, derived);
    }
    for (Use& use : uses_[s]) use.begin = 0;
    for (size_t before = SIZE_MAX; !uses_[s].empty() && before != derived.size();) {
      before = derived.size();
      for (Use& use : uses_[s]) {
        const uint32_t end = snapshot.num_rows(use.rule->positive[use.atom].predicate);
        join_.run_with_rows(*use.rule, snapshot, none_, use.atom, use.begin, end);
        add_heads(*use.rule, snapshot, derived);
        use.begin = end;
      }
    }
  }
}

void Axioms::add_heads(const Rule& rule, Snapshot& snapshot, std::vector<AtomId>& derived) {
  for (size_t i = 0; i < join_.count(); ++i) {
    poll();
    key_.clear();
    for (int term : rule.head.terms) key_.push_back(term_value(term, join_.binding(i)));
    const AtomId atom = table_.intern(rule.head.predicate, key_.data(), static_cast<int>(key_.size()));
    if (snapshot.add(atom)) derived.push_back(atom);
  }
}

void settle_static_axioms(Task& task) {
  if (task.static_strata.empty()) return;
  AtomTable table;
  Snapshot snapshot(task, table);
  snapshot.load({});
  std::vector<AtomId> derived;
  Axioms(task, task.static_strata, table).derive(snapshot, derived);
  for (AtomId atom : derived) task.predicates[table.predicate(atom)].rows.add(table.arguments(atom));
  for (const Stratum& stratum : task.static_strata)
    for (const Rule& rule : stratum) task.predicates[rule.head.predicate].is_static = true;
  task.static_strata.clear();
}

}  // namespace liftq
