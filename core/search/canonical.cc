#include "search/canonical.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "basics/hash.h"
#include "basics/watch.h"

namespace liftq {

Canonical::Canonical(Engine& engine) : engine_(engine) {
  const Twins& alike = engine.static_twins();
  const int n = engine.task().num_objects();
  for (int object = 0; object < n; ++object) {
    if (alike.class_of[object] != object || alike.size[object] < 2) continue;
    auto& members = classes_.emplace_back();
    for (int member = object; member >= 0; member = alike.next[member]) members.push_back(member);
  }
  name_.resize(n);
  std::iota(name_.begin(), name_.end(), 0);
  is_open_.assign(n, 0);
  color_.resize(n);
  next_.resize(n);
}

StateId Canonical::key(StateId state) {
  if (classes_.empty()) return state;
  atoms_ = engine_.atoms_of(state);
  for (size_t object = 0; object < color_.size(); ++object) color_[object] = object_code(static_cast<int>(object));
  for (const auto& alike : classes_)
    for (int object : alike) {
      color_[object] = object_code(alike.front());
      is_open_[object] = 1;
    }
  // One class is put in order after the other: whoever is with the first of them is told from whoever is with the
  // second. Two rounds see what an object is with, and what that is with.
  for (const auto& alike : classes_) {
    refine();
    refine();
    settle(alike);
  }
  renamed_.clear();
  for (AtomId atom : atoms_) {
    const AtomTable& table = engine_.atoms();
    const int* arguments = table.arguments(atom);
    arguments_.clear();
    for (int i = 0; i < table.arity(atom); ++i) arguments_.push_back(name_[arguments[i]]);
    renamed_.push_back(engine_.intern({table.predicate(atom), arguments_}));
  }
  return engine_.state_of(renamed_);
}

// A new color is the old one and the sum over the object's atoms, with the colors of all that is in them.
void Canonical::refine() {
  poll(atoms_.size());
  const AtomTable& table = engine_.atoms();
  next_ = color_;
  for (AtomId atom : atoms_) {
    const int* arguments = table.arguments(atom);
    const int arity = table.arity(atom);
    uint64_t sum = mix(table.predicate(atom));
    for (int i = 0; i < arity; ++i) sum += position_weight(i) * color_[arguments[i]];
    for (int i = 0; i < arity; ++i)
      if (is_open_[arguments[i]]) next_[arguments[i]] += mix(sum + position_weight(arity + i));
  }
  color_.swap(next_);
}

void Canonical::settle(const std::vector<int>& alike) {
  order_ = alike;
  std::stable_sort(order_.begin(), order_.end(), [&](int a, int b) { return color_[a] < color_[b]; });
  for (size_t place = 0; place < alike.size(); ++place) {
    name_[order_[place]] = alike[place];
    color_[order_[place]] = object_code(alike[place]);
    is_open_[order_[place]] = 0;
  }
}

bool Visited::add(StateId state) {
  const StateId key = canonical_.key(state);
  if (key >= is_visited_.size()) is_visited_.resize(engine_.states().size(), 0);
  return !std::exchange(is_visited_[key], 1);
}

}  // namespace liftq
