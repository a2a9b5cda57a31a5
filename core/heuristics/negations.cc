#include "heuristics/negations.h"

#include <algorithm>
#include <unordered_map>

#include "basics/watch.h"

namespace liftq {

namespace {

class Negations {
 public:
  Negations(const RelaxedSchemas& relaxed, int num_predicates, GroundTask& task)
      : relaxed_(relaxed), num_predicates_(num_predicates), task_(task) {
    for (size_t op = 0; op < task_.actions.count(); ++op)
      if (relaxed_.action_of[task_.actions.schema_of[op]] == RelaxedSchemas::kNone)
        instances_[atom_of(task_.effects[op].front())].push_back(op);
  }

  void add() {
    is_wanted_.assign(task_.atoms.size(), 0);
    for (size_t op = 0; op < task_.actions.count(); ++op) want(task_.conditions[op]);
    want(task_.goal);
    for (size_t next = 0; next < queue_.size(); ++next) add_negation(queue_[next]);
  }

 private:
  int stratum(AtomId atom) const {
    const int predicate = task_.atoms.predicate(atom);
    return predicate < num_predicates_ ? relaxed_.stratum_of[predicate] : RelaxedSchemas::kNone;
  }

  void want(std::span<const int> literals) {
    for (int literal : literals) {
      const AtomId atom = atom_of(literal);
      if (!is_negated(literal) || stratum(atom) == RelaxedSchemas::kNone || is_wanted_[atom]) continue;
      is_wanted_[atom] = 1;
      queue_.push_back(atom);
    }
  }

  void add_negation(AtomId atom) {
    std::vector<int> conditions;
    for (size_t op : instances_[atom]) {
      const auto found = task_.conditions[op];
      if (found.empty()) return;  // it is always true
      conditions.push_back(failure(op, std::vector<int>(found.begin(), found.end()), stratum(atom)));
    }
    add_operator(conditions, literal(atom, true));
  }

  // A literal that holds if the instance fails.
  int failure(size_t op, const std::vector<int>& conditions, int own_stratum) {
    const bool is_recursive = std::any_of(conditions.begin(), conditions.end(), [&](int literal) {
      return !is_negated(literal) && stratum(atom_of(literal)) == own_stratum;
    });
    if (conditions.size() == 1 && !is_recursive) {
      const int negation = conditions.front() ^ 1;
      want(std::span(&negation, 1));
      return negation;
    }
    const auto found = task_.actions.arguments[op];
    const std::vector<int> arguments(found.begin(), found.end());
    const AtomId atom = task_.atoms.intern(num_predicates_ + task_.actions.schema_of[op], arguments.data(),
                                           static_cast<int>(arguments.size()));
    is_wanted_.resize(task_.atoms.size(), 0);
    if (is_recursive) add_operator({}, literal(atom, false));
    for (int condition : conditions) add_operator({condition ^ 1}, literal(atom, false));
    return literal(atom, false);
  }

  void add_operator(std::vector<int> conditions, int effect) {
    poll(conditions.size());
    want(conditions);
    std::sort(conditions.begin(), conditions.end());
    conditions.erase(std::unique(conditions.begin(), conditions.end()), conditions.end());
    for (int condition : conditions) task_.conditions.add(condition);
    task_.conditions.close();
    task_.effects.add(effect);
    task_.effects.close();
    task_.actions.add(RelaxedSchemas::kNone, {});
  }

  const RelaxedSchemas& relaxed_;
  int num_predicates_;
  GroundTask& task_;
  std::unordered_map<AtomId, std::vector<size_t>> instances_;  // by derived atom: rules for it, as operators
  std::vector<uint8_t> is_wanted_;                             // by atom: its negation
  std::vector<AtomId> queue_;
};

}  // namespace

void add_negations(const RelaxedSchemas& relaxed, int num_predicates, GroundTask& task) {
  Negations(relaxed, num_predicates, task).add();
}

}  // namespace liftq
