#include "planning/twins.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "basics/hash.h"
#include "basics/sort.h"

namespace liftq {

Twins singletons(int num_objects) {
  Twins twins;
  twins.class_of.resize(num_objects);
  std::iota(twins.class_of.begin(), twins.class_of.end(), 0);
  twins.rank.assign(num_objects, 0);
  twins.size.assign(num_objects, 1);
  twins.next.assign(num_objects, -1);
  return twins;
}

namespace {

// Renumbers ranks, sizes and links after `class_of` has changed for these objects (given in ascending order).
void rebuild(Twins& twins, const std::vector<int>& objects) {
  for (int object : objects) {
    twins.size[object] = 0;
    twins.next[object] = -1;
  }
  for (int object : objects) twins.rank[object] = twins.size[twins.class_of[object]]++;
  for (size_t i = objects.size(); i-- > 0;) {  // from the back, so that each member goes right behind the first one
    const int object = objects[i], name = twins.class_of[object];
    if (object == name) continue;
    twins.next[object] = twins.next[name];
    twins.next[name] = object;
  }
}

}  // namespace

TwinFinder::TwinFinder(const Task& task) {
  const int n = task.num_objects();
  for (int object = 0; object < n; ++object) codes_.push_back(object_code(object));
  placeholder_codes_[0] = object_code(kPlaceholder);
  placeholder_codes_[1] = object_code(kOtherPlaceholder);
  none_ = fine_ = coarse_ = singletons(n);
  slots_.assign(std::bit_ceil(static_cast<size_t>(2 * n + 2)), -1);
  signature_.assign(n, 0);
  is_candidate_.assign(n, 0);
  coarse_class_.assign(n, 0);

  // Constants may occur in schemas, so each is a class of its own; all others are first told apart by type.
  Twins by_type = singletons(n);
  std::vector<int> objects;
  for (int object = task.num_constants; object < n; ++object) {
    objects.push_back(object);
    is_candidate_[object] = 1;
    coarse_class_[object] = by_type.class_of[object] = task.object_type[object];
  }
  const uint64_t kinds = task.predicates.size();
  for (size_t p = 0; p < task.predicates.size(); ++p) {
    const Relation& rows = task.predicates[p].rows;
    for (uint32_t row = 0; row < rows.size(); ++row) add_atom(p, rows.row(row), rows.arity());
  }
  for (const GroundAtom& atom : task.goal_positive)
    add_atom(kinds + atom.predicate, atom.arguments.data(), static_cast<int>(atom.arguments.size()));
  for (const GroundAtom& atom : task.goal_negative)
    add_atom(2 * kinds + atom.predicate, atom.arguments.data(), static_cast<int>(atom.arguments.size()));
  for (const GroundAtom& form : task.goal_forms)
    add_atom(~static_cast<uint64_t>(form.predicate), form.arguments.data(), static_cast<int>(form.arguments.size()));
  for (size_t f = 0; f < task.functions.size(); ++f) {
    const Function& function = task.functions[f];
    for (uint32_t row = 0; row < function.arguments.size(); ++row)
      add_atom(3 * kinds + f + mix(std::bit_cast<uint64_t>(function.values[row])), function.arguments.row(row),
               function.arguments.arity());
  }
  split(by_type, objects, coarse_);
  join_pairs(objects, coarse_);

  std::fill(is_candidate_.begin(), is_candidate_.end(), 0);
  for (int object = 0; object < n; ++object) {
    coarse_class_[object] = coarse_.class_of[object];
    if (coarse_.size[coarse_.class_of[object]] < 2) continue;
    candidates_.push_back(object);
    is_candidate_[object] = 1;
  }
}

const Twins& TwinFinder::find(const std::vector<AtomId>& atoms, const AtomTable& table) {
  if (candidates_.empty()) return coarse_;
  for (int object : candidates_) signature_[object] = 0;
  shared_.clear();
  for (AtomId atom : atoms) add_atom(table.predicate(atom), table.arguments(atom), table.arity(atom));
  split(coarse_, candidates_, fine_);
  join_pairs(candidates_, fine_);
  return fine_;
}

void TwinFinder::add_atom(uint64_t tag, const int* arguments, int arity) {
  poll(arity);
  for (int i = 0; i < arity; ++i) {
    const int object = arguments[i];
    if (!is_candidate_[object]) continue;
    if (std::find(arguments, arguments + i, object) != arguments + i) continue;  // counted at its first position
    signature_[object] += hash_with(tag, arguments, arity, object, kPlaceholder, kPlaceholder, kPlaceholder);
    for (int j = 0; j < i; ++j) {
      const int other = arguments[j];
      if (!is_candidate_[other] || coarse_class_[other] != coarse_class_[object]) continue;
      if (std::find(arguments, arguments + j, other) != arguments + j) continue;
      add_pair(tag, std::min(object, other), std::max(object, other), arguments, arity);
    }
  }
}

void TwinFinder::add_pair(uint64_t tag, int left, int right, const int* arguments, int arity) {
  shared_.push_back({left, right, hash_with(tag, arguments, arity, left, kPlaceholder, right, right),
                     hash_with(tag, arguments, arity, right, kPlaceholder, left, left),
                     hash_with(tag, arguments, arity, left, kPlaceholder, right, kOtherPlaceholder),
                     hash_with(tag, arguments, arity, left, kOtherPlaceholder, right, kPlaceholder)});
}

uint64_t TwinFinder::hash_with(uint64_t tag, const int* arguments, int arity, int left, int left_to, int right,
                               int right_to) const {
  uint64_t sum = mix(tag);
  for (int i = 0; i < arity; ++i) {
    const int object = arguments[i] == left ? left_to : arguments[i] == right ? right_to : arguments[i];
    sum += position_weight(i) * code(object);
  }
  return mix(sum);
}

// Splits each coarse class by signature. `objects` are in ascending order, so a class is named after its first.
void TwinFinder::split(const Twins& coarse, const std::vector<int>& objects, Twins& fine) {
  const size_t mask = slots_.size() - 1;
  std::vector<size_t> used;
  used.reserve(objects.size());  // nothing may fail before the slots are empty again
  for (int object : objects) {
    const auto same = [&](int other) {
      return signature_[other] == signature_[object] && coarse.class_of[other] == coarse.class_of[object];
    };
    size_t slot = mix(signature_[object] + coarse.class_of[object]) & mask;
    while (slots_[slot] >= 0 && !same(slots_[slot])) slot = (slot + 1) & mask;
    if (slots_[slot] < 0) {
      slots_[slot] = object;
      used.push_back(slot);
    }
    fine.class_of[object] = slots_[slot];
  }
  for (size_t slot : used) slots_[slot] = -1;
  rebuild(fine, objects);
}

void TwinFinder::join_pairs(const std::vector<int>& objects, Twins& fine) {
  if (shared_.empty()) return;
  polling_sort(shared_, [](const SharedAtom& a, const SharedAtom& b) {
    return std::pair(a.left, a.right) < std::pair(b.left, b.right);
  });
  bool changed = false;
  for (size_t begin = 0, end = 0; begin < shared_.size(); begin = end) {
    const int left = shared_[begin].left, right = shared_[begin].right;
    uint64_t left_rest = signature_[left], right_rest = signature_[right], pair = 0, swapped = 0;
    for (; end < shared_.size() && shared_[end].left == left && shared_[end].right == right; ++end) {
      left_rest -= shared_[end].left_share;
      right_rest -= shared_[end].right_share;
      pair += shared_[end].pair;
      swapped += shared_[end].swapped;
    }
    if (left_rest != right_rest || pair != swapped) continue;
    const int keep = std::min(fine.class_of[left], fine.class_of[right]);
    const int drop = std::max(fine.class_of[left], fine.class_of[right]);
    if (keep == drop) continue;
    poll(objects.size());
    for (int object : objects)
      if (fine.class_of[object] == drop) fine.class_of[object] = keep;
    changed = true;
  }
  if (changed) rebuild(fine, objects);
}

}  // namespace liftq
