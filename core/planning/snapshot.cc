#include "planning/snapshot.h"

#include "basics/watch.h"

namespace liftq {

Snapshot::Snapshot(const Task& task, const AtomTable& table) : task_(task), table_(table) {
  fluents_.resize(task.predicates.size());
  for (size_t p = 0; p < fluents_.size(); ++p) {
    fluents_[p].arity = task.predicates[p].arity;
    fluents_[p].indices.resize(task.predicates[p].arity);
  }
}

void Snapshot::load(const std::vector<AtomId>& atoms) {
  ++stamp_;
  if (stamp_of_.size() < table_.size()) stamp_of_.resize(table_.size() * 2, 0);
  for (Fluent& fluent : fluents_) {
    fluent.num_rows = 0;
    fluent.rows.clear();
  }
  poll(atoms.size());
  for (AtomId atom : atoms) {
    stamp_of_[atom] = stamp_;
    Fluent& fluent = fluents_[table_.predicate(atom)];
    const int* arguments = table_.arguments(atom);
    fluent.rows.insert(fluent.rows.end(), arguments, arguments + fluent.arity);
    ++fluent.num_rows;
  }
}

bool Snapshot::add(AtomId atom) {
  if (contains(atom)) return false;
  if (stamp_of_.size() <= atom) stamp_of_.resize(table_.size() * 2, 0);
  stamp_of_[atom] = stamp_;
  Fluent& fluent = fluents_[table_.predicate(atom)];
  const int* arguments = table_.arguments(atom);
  fluent.rows.insert(fluent.rows.end(), arguments, arguments + fluent.arity);
  ++fluent.num_rows;
  return true;
}

bool Snapshot::contains(int predicate, const int* arguments) {
  const Fluent& fluent = fluents_[predicate];
  if (fluent.arity == 0) return fluent.num_rows > 0;
  if (fluent.arity == 1) return bucket(predicate, 0, arguments[0]).count > 0;
  return contains(table_.find(predicate, arguments, fluent.arity));
}

Snapshot::Bucket Snapshot::bucket(int predicate, int position, int object) {
  Fluent& fluent = fluents_[predicate];
  PositionIndex& index = fluent.indices[position];
  if (index.stamp != stamp_ || index.num_rows < fluent.num_rows) extend_index(fluent, position, index);
  if (index.stamps[object] != stamp_) return {0, kEnd, nullptr};
  return {index.count[object], index.first[object], index.next.data()};
}

void Snapshot::extend_index(const Fluent& fluent, int position, PositionIndex& index) const {
  if (index.stamps.empty()) {
    index.first.resize(task_.num_objects());
    index.count.resize(task_.num_objects());
    index.stamps.resize(task_.num_objects(), 0);
  }
  if (index.stamp != stamp_) index.num_rows = 0;
  index.stamp = stamp_;
  index.next.resize(fluent.num_rows);
  for (uint32_t row = index.num_rows; row < fluent.num_rows; ++row) {
    const int object = fluent.rows[static_cast<size_t>(row) * fluent.arity + position];
    const bool is_first = index.stamps[object] != stamp_;
    index.next[row] = is_first ? kEnd : index.first[object];
    index.count[object] = is_first ? 1 : index.count[object] + 1;
    index.first[object] = row;
    index.stamps[object] = stamp_;
  }
  index.num_rows = fluent.num_rows;
}

}  // namespace liftq
