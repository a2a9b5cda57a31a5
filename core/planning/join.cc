#include "planning/join.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "basics/watch.h"

namespace liftq {

Join::Join(const Task& task) : task_(task) {
  size_t max_terms = 1, max_parameters = 0;
  for (const auto& predicate : task.predicates) max_terms = std::max<size_t>(max_terms, predicate.arity);
  for_each_condition(task, [&](const Condition& condition) {
    max_parameters = std::max(max_parameters, condition.parameter_types.size());
  });
  key_.resize(max_terms);
  binding_.assign(max_parameters, -1);
  opened_.assign(max_parameters, 0);
  used_.assign(task.num_objects(), 0);
}

void Join::run(const Condition& condition, Snapshot& snapshot, const Twins& twins) {
  if (!start(condition, snapshot, twins, 0)) return;
  plan();
  finish();
}

void Join::run_within(const Condition& condition, Snapshot& snapshot, const Twins& none, const int* first,
                      size_t count) {
  if (!start(condition, snapshot, none, count)) return;
  plan();
  std::copy(first, first + count, binding_.begin());
  finish();
  std::fill(binding_.begin(), binding_.begin() + static_cast<ptrdiff_t>(count), -1);
}

void Join::run_with_rows(const Condition& condition, Snapshot& snapshot, const Twins& none, size_t atom, uint32_t begin,
                         uint32_t end) {
  if (!start(condition, snapshot, none, 0) || begin == end) return;
  if (!done_positive_[atom]) {  // an atom that is ground has only one row
    add_atom_step(atom);
    steps_[1].begin = begin;
    steps_[1].end = end;
  }
  plan();
  finish();
}

// False if some positive atom has no rows, so that there is nothing to join. Step 0 only holds the conditions that are
// ground from the start.
bool Join::start(const Condition& condition, Snapshot& snapshot, const Twins& twins, size_t num_fixed) {
  condition_ = &condition;
  snapshot_ = &snapshot;
  twins_ = &twins;
  found_.clear();
  count_ = 0;
  if (lacks_rows()) return false;
  num_steps_ = 0;
  is_bound_.assign(condition.parameter_types.size(), 0);
  std::fill(is_bound_.begin(), is_bound_.begin() + static_cast<ptrdiff_t>(num_fixed), 1);
  done_positive_.assign(condition.positive.size(), 0);
  done_negative_.assign(condition.negative.size(), 0);
  done_equality_.assign(condition.equalities.size(), 0);
  add_ground_conditions(new_step());
  return true;
}

void Join::finish() {
  try {
    if (conditions_hold(steps_[0])) extend(1);
  } catch (...) {  // stopped in the middle: the next join finds everything unbound
    std::fill(binding_.begin(), binding_.end(), -1);
    std::fill(used_.begin(), used_.end(), 0);
    throw;
  }
}

bool Join::lacks_rows() const {
  return std::any_of(condition_->positive.begin(), condition_->positive.end(), [&](const LiftedAtom& atom) {
    const auto& predicate = task_.predicates[atom.predicate];
    return (predicate.is_static ? predicate.rows.size() : snapshot_->num_rows(atom.predicate)) == 0;
  });
}

uint32_t Join::bound_positions(const LiftedAtom& atom) const {
  uint32_t positions = 0;
  for (size_t i = 0; i < atom.terms.size(); ++i)
    if (atom.terms[i] < 0 || is_bound_[atom.terms[i]]) positions |= 1u << i;
  return positions;
}

bool Join::is_ground(const LiftedAtom& atom) const {
  return std::all_of(atom.terms.begin(), atom.terms.end(), [&](int term) { return term < 0 || is_bound_[term]; });
}

double Join::expected_matches(const LiftedAtom& atom) const {
  const uint32_t positions = bound_positions(atom);
  const auto& predicate = task_.predicates[atom.predicate];
  if (predicate.is_static) return positions ? predicate.rows.index(positions).mean_matches() : predicate.rows.size();
  // A fluent's indices are built only when used, so guess: each bound position narrows by the same factor.
  const double free_share = 1.0 - static_cast<double>(std::popcount(positions)) / predicate.arity;
  return std::pow(static_cast<double>(snapshot_->num_rows(atom.predicate)), free_share);
}

Join::Step& Join::new_step() {
  if (num_steps_ == steps_.size()) steps_.emplace_back();
  Step& step = steps_[num_steps_++];
  step.atom = nullptr;
  step.parameter = -1;
  step.rows = nullptr;
  step.index = nullptr;
  step.begin = 0;
  step.end = UINT32_MAX;
  step.positive.clear();
  step.negative.clear();
  step.equalities.clear();
  return step;
}

// Appends to the step all conditions that are ground now and not yet tested.
void Join::add_ground_conditions(Step& step) {
  for (size_t i = 0; i < condition_->equalities.size(); ++i) {
    const Equality& equality = condition_->equalities[i];
    const auto ground = [&](int term) { return term < 0 || is_bound_[term]; };
    if (done_equality_[i] || !ground(equality.left) || !ground(equality.right)) continue;
    done_equality_[i] = 1;
    step.equalities.push_back(&equality);
  }
  const auto take = [&](const std::vector<LiftedAtom>& atoms, std::vector<uint8_t>& done, auto& taken) {
    for (size_t i = 0; i < atoms.size(); ++i) {
      if (done[i] || !is_ground(atoms[i])) continue;
      done[i] = 1;
      taken.push_back(&atoms[i]);
    }
  };
  take(condition_->positive, done_positive_, step.positive);
  take(condition_->negative, done_negative_, step.negative);
}

// Orders the join for this state's numbers of rows.
void Join::plan() {
  const auto& positive = condition_->positive;
  for (;;) {
    size_t best = positive.size();
    double fewest = 0;
    for (size_t i = 0; i < positive.size(); ++i) {
      if (done_positive_[i]) continue;
      const double matches = expected_matches(positive[i]);
      if (best == positive.size() || matches < fewest) best = i, fewest = matches;
    }
    if (best == positive.size()) break;
    add_atom_step(best);
  }
  for (size_t parameter = 0; parameter < is_bound_.size(); ++parameter) {
    if (is_bound_[parameter]) continue;
    Step& step = new_step();
    step.parameter = static_cast<int>(parameter);
    is_bound_[parameter] = 1;
    add_ground_conditions(step);
  }
}

void Join::add_atom_step(size_t atom) {
  Step& step = new_step();
  step.atom = &condition_->positive[atom];
  step.bound_positions = bound_positions(*step.atom);
  const auto& predicate = task_.predicates[step.atom->predicate];
  if (predicate.is_static) {
    step.rows = &predicate.rows;
    if (step.bound_positions) step.index = &predicate.rows.index(step.bound_positions);
  }
  done_positive_[atom] = 1;
  for (int term : step.atom->terms)
    if (term >= 0) is_bound_[term] = 1;
  add_ground_conditions(step);
}

void Join::extend(size_t depth) {
  if (depth == num_steps_) {
    found_.insert(found_.end(), binding_.begin(), binding_.begin() + static_cast<ptrdiff_t>(is_bound_.size()));
    ++count_;
    return;
  }
  const Step& step = steps_[depth];
  if (step.atom) return extend_by_rows(step, depth);
  for (int object : task_.types[condition_->parameter_types[step.parameter]].objects) {
    poll();
    if (!bind(step.parameter, object)) continue;
    if (conditions_hold(step)) extend(depth + 1);
    unbind(step.parameter);
  }
}

void Join::extend_by_rows(const Step& step, size_t depth) {
  const LiftedAtom& atom = *step.atom;
  if (step.rows && !step.index) {
    for (uint32_t row = 0; row < step.rows->size(); ++row) try_row(step, step.rows->row(row), depth);
    return;
  }
  if (step.index) {
    for (size_t i = 0; i < atom.terms.size(); ++i)
      if (step.bound_positions >> i & 1) key_[i] = term_value(atom.terms[i], binding_.data());
    for (uint32_t row : step.index->find(key_.data())) try_row(step, step.rows->row(row), depth);
    return;
  }
  if (!step.bound_positions || step.end != UINT32_MAX) {
    const uint32_t end = std::min(step.end, snapshot_->num_rows(atom.predicate));
    for (uint32_t row = step.begin; row < end; ++row) try_row(step, snapshot_->row(atom.predicate, row), depth);
    return;
  }
  Snapshot::Bucket smallest{UINT32_MAX, Snapshot::kEnd, nullptr};
  for (size_t i = 0; i < atom.terms.size(); ++i) {
    if (!(step.bound_positions >> i & 1)) continue;
    const int object = term_value(atom.terms[i], binding_.data());
    const auto bucket = snapshot_->bucket(atom.predicate, static_cast<int>(i), object);
    if (bucket.count < smallest.count) smallest = bucket;
  }
  for (uint32_t row = smallest.first; row != Snapshot::kEnd; row = smallest.next[row])
    try_row(step, snapshot_->row(atom.predicate, row), depth);
}

void Join::try_row(const Step& step, const int* row, size_t depth) {
  poll();
  const std::vector<int>& terms = step.atom->terms;
  uint32_t newly_bound = 0;
  bool fits = true;
  for (size_t i = 0; fits && i < terms.size(); ++i) {
    const int term = terms[i];
    if (term < 0 || binding_[term] >= 0) {
      fits = term_value(term, binding_.data()) == row[i];
    } else {
      fits = bind(term, row[i]);
      if (fits) newly_bound |= 1u << i;
    }
  }
  if (fits && conditions_hold(step)) extend(depth + 1);
  for (; newly_bound; newly_bound &= newly_bound - 1) unbind(terms[std::countr_zero(newly_bound)]);
}

// Refuses an object of the wrong type, and a twin whose smaller siblings are not yet in use: another representative of
// the same orbit has those in its place.
bool Join::bind(int parameter, int object) {
  if (!task_.types[condition_->parameter_types[parameter]].contains[object]) return false;
  int& used = used_[twins_->class_of[object]];
  if (twins_->rank[object] > used) return false;
  opened_[parameter] = twins_->rank[object] == used;
  used += opened_[parameter];
  binding_[parameter] = object;
  return true;
}

void Join::unbind(int parameter) {
  used_[twins_->class_of[binding_[parameter]]] -= opened_[parameter];
  binding_[parameter] = -1;
}

bool Join::holds(const LiftedAtom& atom) {
  for (size_t i = 0; i < atom.terms.size(); ++i) key_[i] = term_value(atom.terms[i], binding_.data());
  const auto& predicate = task_.predicates[atom.predicate];
  return predicate.is_static ? predicate.rows.contains(key_.data()) : snapshot_->contains(atom.predicate, key_.data());
}

bool Join::conditions_hold(const Step& step) {
  for (const Equality* equality : step.equalities) {
    const bool equal = term_value(equality->left, binding_.data()) == term_value(equality->right, binding_.data());
    if (equal != equality->equal) return false;
  }
  for (const LiftedAtom* atom : step.positive)
    if (!holds(*atom)) return false;
  for (const LiftedAtom* atom : step.negative)
    if (holds(*atom)) return false;
  return true;
}

}  // namespace liftq
