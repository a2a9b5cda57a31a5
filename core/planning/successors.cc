#include "planning/successors.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <span>

#include "basics/sort.h"

namespace liftq {

SuccessorGenerator::SuccessorGenerator(const Task& task) : task_(task) {
  size_t max_terms = 1;
  for (const auto& predicate : task.predicates) max_terms = std::max<size_t>(max_terms, predicate.arity);
  size_t max_parameters = 0;
  for (const Schema& schema : task.schemas) max_parameters = std::max(max_parameters, schema.parameter_types.size());
  key_.resize(max_terms);
  binding_.assign(max_parameters, -1);
  opened_.assign(max_parameters, 0);
  used_.assign(task.num_objects(), 0);
}

void SuccessorGenerator::generate(Snapshot& snapshot, const Twins& twins, Orbits& orbits) {
  snapshot_ = &snapshot;
  twins_ = &twins;
  orbits.clear();
  try {
    for (size_t schema = 0; schema < task_.schemas.size(); ++schema) add_actions(static_cast<int>(schema), orbits);
  } catch (...) {  // stopped in the middle: the next state finds everything unbound
    std::fill(binding_.begin(), binding_.end(), -1);
    std::fill(used_.begin(), used_.end(), 0);
    throw;
  }
}

void SuccessorGenerator::add_actions(int schema, Orbits& orbits) {
  schema_ = &task_.schemas[schema];
  if (lacks_rows(*schema_)) return;
  found_.clear();
  found_sizes_.clear();
  plan(*schema_, *snapshot_);
  if (conditions_hold(steps_[0])) extend(1);
  sort_actions(static_cast<int>(schema_->parameter_types.size()), orbits, schema);
}

bool SuccessorGenerator::lacks_rows(const Schema& schema) const {
  return std::any_of(schema.positive.begin(), schema.positive.end(), [&](const LiftedAtom& atom) {
    const auto& predicate = task_.predicates[atom.predicate];
    return (predicate.is_static ? predicate.rows.size() : snapshot_->num_rows(atom.predicate)) == 0;
  });
}

uint32_t SuccessorGenerator::bound_positions(const LiftedAtom& atom) const {
  uint32_t positions = 0;
  for (size_t i = 0; i < atom.terms.size(); ++i)
    if (atom.terms[i] < 0 || is_bound_[atom.terms[i]]) positions |= 1u << i;
  return positions;
}

bool SuccessorGenerator::is_ground(const LiftedAtom& atom) const {
  return std::all_of(atom.terms.begin(), atom.terms.end(), [&](int term) { return term < 0 || is_bound_[term]; });
}

double SuccessorGenerator::expected_matches(const LiftedAtom& atom, const Snapshot& snapshot) const {
  const uint32_t positions = bound_positions(atom);
  const auto& predicate = task_.predicates[atom.predicate];
  if (predicate.is_static) return positions ? predicate.rows.index(positions).mean_matches() : predicate.rows.size();
  // A fluent's indices are built only when used, so guess: each bound position narrows by the same factor.
  const double free_share = 1.0 - static_cast<double>(std::popcount(positions)) / predicate.arity;
  return std::pow(static_cast<double>(snapshot.num_rows(atom.predicate)), free_share);
}

SuccessorGenerator::Step& SuccessorGenerator::new_step() {
  if (num_steps_ == steps_.size()) steps_.emplace_back();
  Step& step = steps_[num_steps_++];
  step.atom = nullptr;
  step.parameter = -1;
  step.rows = nullptr;
  step.index = nullptr;
  step.positive.clear();
  step.negative.clear();
  step.equalities.clear();
  return step;
}

// Appends to the step all conditions that are ground now and not yet tested.
void SuccessorGenerator::add_ground_conditions(const Schema& schema, Step& step) {
  for (size_t i = 0; i < schema.equalities.size(); ++i) {
    const Equality& equality = schema.equalities[i];
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
  take(schema.positive, done_positive_, step.positive);
  take(schema.negative, done_negative_, step.negative);
}

// Orders the join for this state's numbers of rows. Step 0 only holds the conditions that are ground from the start.
void SuccessorGenerator::plan(const Schema& schema, Snapshot& snapshot) {
  num_steps_ = 0;
  is_bound_.assign(schema.parameter_types.size(), 0);
  done_positive_.assign(schema.positive.size(), 0);
  done_negative_.assign(schema.negative.size(), 0);
  done_equality_.assign(schema.equalities.size(), 0);
  add_ground_conditions(schema, new_step());
  for (;;) {
    size_t best = schema.positive.size();
    double fewest = 0;
    for (size_t i = 0; i < schema.positive.size(); ++i) {
      if (done_positive_[i]) continue;
      const double matches = expected_matches(schema.positive[i], snapshot);
      if (best == schema.positive.size() || matches < fewest) best = i, fewest = matches;
    }
    if (best == schema.positive.size()) break;
    Step& step = new_step();
    step.atom = &schema.positive[best];
    step.bound_positions = bound_positions(*step.atom);
    const auto& predicate = task_.predicates[step.atom->predicate];
    if (predicate.is_static) {
      step.rows = &predicate.rows;
      if (step.bound_positions) step.index = &predicate.rows.index(step.bound_positions);
    }
    done_positive_[best] = 1;
    for (int term : step.atom->terms)
      if (term >= 0) is_bound_[term] = 1;
    add_ground_conditions(schema, step);
  }
  for (size_t parameter = 0; parameter < schema.parameter_types.size(); ++parameter) {
    if (is_bound_[parameter]) continue;
    Step& step = new_step();
    step.parameter = static_cast<int>(parameter);
    is_bound_[parameter] = 1;
    add_ground_conditions(schema, step);
  }
}

void SuccessorGenerator::extend(size_t depth) {
  if (depth == num_steps_) return emit();
  const Step& step = steps_[depth];
  if (step.atom) return extend_by_rows(step, depth);
  for (int object : task_.types[schema_->parameter_types[step.parameter]].objects) {
    poll();
    if (!bind(step.parameter, object)) continue;
    if (conditions_hold(step)) extend(depth + 1);
    unbind(step.parameter);
  }
}

void SuccessorGenerator::extend_by_rows(const Step& step, size_t depth) {
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
  if (!step.bound_positions) {
    const uint32_t rows = snapshot_->num_rows(atom.predicate);
    for (uint32_t row = 0; row < rows; ++row) try_row(step, snapshot_->row(atom.predicate, row), depth);
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

void SuccessorGenerator::try_row(const Step& step, const int* row, size_t depth) {
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
bool SuccessorGenerator::bind(int parameter, int object) {
  if (!task_.types[schema_->parameter_types[parameter]].contains[object]) return false;
  int& used = used_[twins_->class_of[object]];
  if (twins_->rank[object] > used) return false;
  opened_[parameter] = twins_->rank[object] == used;
  used += opened_[parameter];
  binding_[parameter] = object;
  return true;
}

void SuccessorGenerator::unbind(int parameter) {
  used_[twins_->class_of[binding_[parameter]]] -= opened_[parameter];
  binding_[parameter] = -1;
}

bool SuccessorGenerator::holds(const LiftedAtom& atom) {
  for (size_t i = 0; i < atom.terms.size(); ++i) key_[i] = term_value(atom.terms[i], binding_.data());
  const auto& predicate = task_.predicates[atom.predicate];
  return predicate.is_static ? predicate.rows.contains(key_.data()) : snapshot_->contains(atom.predicate, key_.data());
}

bool SuccessorGenerator::conditions_hold(const Step& step) {
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

void SuccessorGenerator::emit() {
  const size_t arity = schema_->parameter_types.size();
  found_.insert(found_.end(), binding_.begin(), binding_.begin() + static_cast<ptrdiff_t>(arity));
  int* arguments = found_.data() + found_.size() - arity;
  found_sizes_.push_back(canonicalize(*twins_, arguments, static_cast<int>(arity)));
}

void SuccessorGenerator::sort_actions(int arity, Orbits& orbits, int schema) {
  const size_t count = found_sizes_.size();
  const auto row = [&](uint32_t action) {
    return std::span<const int>(found_.data() + static_cast<size_t>(action) * arity, arity);
  };
  const int bits = std::bit_width(static_cast<unsigned>(task_.num_objects()));
  const int index_bits = std::bit_width(count);
  order_.resize(count);
  if (bits * arity + index_bits <= 64) {  // arguments and number of an action in one word: sort words
    sort_keys_.resize(count);
    for (uint32_t action = 0; action < count; ++action) {
      uint64_t key = 0;
      for (int i = 0; i < arity; ++i) key = key << bits | static_cast<uint64_t>(row(action)[i]);
      sort_keys_[action] = key << index_bits | action;
    }
    polling_sort(sort_keys_);
    for (size_t i = 0; i < count; ++i)
      order_[i] = static_cast<uint32_t>(sort_keys_[i] & ((uint64_t{1} << index_bits) - 1));
  } else {
    std::iota(order_.begin(), order_.end(), 0);
    polling_sort(order_, [&](uint32_t left, uint32_t right) {
      return std::ranges::lexicographical_compare(row(left), row(right));
    });
  }
  for (uint32_t action : order_) {
    poll();
    orbits.add(schema, row(action));
    orbits.sizes.push_back(found_sizes_[action]);
  }
}

bool SuccessorGenerator::applicable(const Task& task, Snapshot& snapshot, int schema_index, const int* arguments) {
  const Schema& schema = task.schemas[schema_index];
  for (size_t i = 0; i < schema.parameter_types.size(); ++i)
    if (!task.types[schema.parameter_types[i]].contains[arguments[i]]) return false;
  for (const Equality& equality : schema.equalities)
    if ((term_value(equality.left, arguments) == term_value(equality.right, arguments)) != equality.equal) return false;
  std::vector<int> key;
  const auto holds = [&](const LiftedAtom& atom) {
    key.clear();
    for (int term : atom.terms) key.push_back(term_value(term, arguments));
    const auto& predicate = task.predicates[atom.predicate];
    return predicate.is_static ? predicate.rows.contains(key.data()) : snapshot.contains(atom.predicate, key.data());
  };
  return std::all_of(schema.positive.begin(), schema.positive.end(), holds) &&
         std::none_of(schema.negative.begin(), schema.negative.end(), holds);
}

}  // namespace liftq
