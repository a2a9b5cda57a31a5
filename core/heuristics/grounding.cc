#include "heuristics/grounding.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "basics/watch.h"

namespace liftq {

Grounder::Grounder(const Task& task, const std::vector<Schema>& schemas, const AtomTable& seeds, uint64_t most_steps)
    : task_(task), schemas_(schemas), atoms_(seeds), most_steps_(most_steps) {
  uses_.resize(task.predicates.size());
  reached_.resize(task.predicates.size());
  size_t slots = 0, longest = 1;
  for (const auto& predicate : task.predicates) {
    first_slot_.push_back(slots);
    if (!predicate.is_static) slots += static_cast<size_t>(predicate.arity) * task.num_objects();
    longest = std::max<size_t>(longest, predicate.arity);
  }
  reached_with_.resize(slots);
  key_.resize(longest);
  for (size_t schema = 0; schema < schemas.size(); ++schema) {
    const auto& positive = schemas[schema].positive;
    bool has_fluent = false;
    for (size_t i = 0; i < positive.size(); ++i) {
      if (task.predicates[positive[i].predicate].is_static) continue;
      uses_[positive[i].predicate].push_back({static_cast<int>(schema), static_cast<int>(i)});
      has_fluent = true;
    }
    if (has_fluent) continue;
    start_join(static_cast<int>(schema));
    extend(0);
  }
  for (current_ = 0; current_ < atoms_.size(); ++current_) reach(current_);
}

void Grounder::reach(AtomId atom) {
  const int predicate = atoms_.predicate(atom);
  reached_[predicate].push_back(atom);
  for (int i = 0; i < atoms_.arity(atom); ++i) {
    const size_t slot = static_cast<size_t>(i) * task_.num_objects() + atoms_.arguments(atom)[i];
    reached_with_[first_slot_[predicate] + slot].push_back(atom);
  }
  for (const Use& use : uses_[predicate]) {
    start_join(use.schema);
    current_position_ = use.position;
    std::swap(order_[0], order_[use.position]);
    try_row(schemas_[use.schema].positive[use.position], atoms_.arguments(atom), 0);
  }
}

void Grounder::start_join(int schema) {
  schema_ = schema;
  current_position_ = -1;
  binding_.assign(schemas_[schema].parameter_types.size(), -1);
  order_.resize(schemas_[schema].positive.size());
  for (size_t i = 0; i < order_.size(); ++i) order_[i] = static_cast<int>(i);
}

// The first `depth` preconditions in order are joined. Next comes the one with the fewest matches.
void Grounder::extend(size_t depth) {
  if (!conditions_hold()) return;
  if (depth == order_.size()) return bind_parameters(0);
  const auto& positive = schemas_[schema_].positive;
  Matches fewest{UINT32_MAX, nullptr, 0};
  size_t best = depth;
  for (size_t i = depth; i < order_.size() && fewest.count > 1; ++i) {
    const Matches found = matches(positive[order_[i]]);
    if (found.count < fewest.count) fewest = found, best = i;
  }
  std::swap(order_[depth], order_[best]);
  const LiftedAtom& atom = positive[order_[depth]];
  const auto& predicate = task_.predicates[atom.predicate];
  // An action that holds the current atom in several places is found from the first of them alone.
  const bool skips_current = order_[depth] < current_position_;
  for (uint32_t i = 0; i < fewest.count; ++i) {
    if (predicate.is_static)
      try_row(atom, predicate.rows.row(fewest[i]), depth);
    else if (!skips_current || fewest[i] != current_)
      try_row(atom, atoms_.arguments(fewest[i]), depth);
  }
}

void Grounder::count_step() {
  poll();
  if (++steps_ > most_steps_) throw TooLargeToGround();
}

void Grounder::try_row(const LiftedAtom& atom, const int* row, size_t depth) {
  count_step();
  uint32_t newly_bound = 0;  // positions of the atom
  if (unify(atom, row, newly_bound)) extend(depth + 1);
  unbind(atom, newly_bound);
}

bool Grounder::unify(const LiftedAtom& atom, const int* row, uint32_t& newly_bound) {
  for (size_t i = 0; i < atom.terms.size(); ++i) {
    const int term = atom.terms[i];
    if (is_bound(term)) {
      if (term_value(term, binding_.data()) != row[i]) return false;
    } else {
      if (!fits(term, row[i])) return false;
      binding_[term] = row[i];
      newly_bound |= 1u << i;
    }
  }
  return true;
}

void Grounder::unbind(const LiftedAtom& atom, uint32_t newly_bound) {
  for (; newly_bound; newly_bound &= newly_bound - 1) binding_[atom.terms[std::countr_zero(newly_bound)]] = -1;
}

// Parameters that occur in no positive precondition range over the objects of their type.
void Grounder::bind_parameters(size_t parameter) {
  while (parameter < binding_.size() && binding_[parameter] >= 0) ++parameter;
  if (parameter == binding_.size()) return emit();
  for (int object : task_.types[schemas_[schema_].parameter_types[parameter]].objects) {
    count_step();
    binding_[parameter] = object;
    if (conditions_hold()) bind_parameters(parameter + 1);
  }
  binding_[parameter] = -1;
}

void Grounder::emit() {
  actions_.add(schema_, binding_);
  for (const LiftedAtom& atom : schemas_[schema_].adds) {
    for (size_t i = 0; i < atom.terms.size(); ++i) key_[i] = term_value(atom.terms[i], binding_.data());
    atoms_.intern(atom.predicate, key_.data(), static_cast<int>(atom.terms.size()));
  }
}

Grounder::Matches Grounder::matches(const LiftedAtom& atom) {
  uint32_t bound_positions = 0;
  for (size_t i = 0; i < atom.terms.size(); ++i) {
    if (!is_bound(atom.terms[i])) continue;
    key_[i] = term_value(atom.terms[i], binding_.data());
    bound_positions |= 1u << i;
  }
  const auto& predicate = task_.predicates[atom.predicate];
  return predicate.is_static ? static_matches(predicate.rows, bound_positions)
                             : fluent_matches(atom.predicate, bound_positions);
}

Grounder::Matches Grounder::static_matches(const Relation& rows, uint32_t bound_positions) const {
  if (!bound_positions) return {rows.size(), nullptr, 0};
  const auto found = rows.index(bound_positions).find(key_.data());
  return {static_cast<uint32_t>(found.size()), found.data(), 0};
}

Grounder::Matches Grounder::fluent_matches(int predicate, uint32_t bound_positions) const {
  const int arity = task_.predicates[predicate].arity;
  if (bound_positions == (1u << arity) - 1) {
    const AtomId atom = atoms_.find(predicate, key_.data(), arity);
    return {atom != AtomTable::kNone && atom <= current_, nullptr, atom};
  }
  const std::vector<AtomId>* fewest = &reached_[predicate];
  for (; bound_positions; bound_positions &= bound_positions - 1) {
    const int position = std::countr_zero(bound_positions);
    const auto& rows = reached_with(predicate, position, key_[position]);
    if (rows.size() < fewest->size()) fewest = &rows;
  }
  return {static_cast<uint32_t>(fewest->size()), fewest->data(), 0};
}

// Whether no equality and no negative static condition is violated by what is bound so far.
bool Grounder::conditions_hold() {
  const Schema& schema = schemas_[schema_];
  for (const Equality& equality : schema.equalities) {
    if (!is_bound(equality.left) || !is_bound(equality.right)) continue;
    const bool equal = term_value(equality.left, binding_.data()) == term_value(equality.right, binding_.data());
    if (equal != equality.equal) return false;
  }
  for (const LiftedAtom& atom : schema.negative) {
    const auto& predicate = task_.predicates[atom.predicate];
    if (!predicate.is_static) continue;
    if (!std::all_of(atom.terms.begin(), atom.terms.end(), [&](int term) { return is_bound(term); })) continue;
    for (size_t i = 0; i < atom.terms.size(); ++i) key_[i] = term_value(atom.terms[i], binding_.data());
    if (predicate.rows.contains(key_.data())) return false;
  }
  return true;
}

bool Grounder::fits(int parameter, int object) const {
  return task_.types[schemas_[schema_].parameter_types[parameter]].contains[object];
}

}  // namespace liftq
