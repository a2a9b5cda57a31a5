#include "heuristics/landmarks.h"

#include <algorithm>

#include "basics/watch.h"
#include "heuristics/dominance.h"

namespace liftq {

namespace {

class LandmarkFinder {
 public:
  LandmarkFinder(const Relaxation& relaxation, std::span<const int> state, uint64_t most_work)
      : relaxation_(relaxation),
        explored_(without_dominated(relaxation).relaxation),
        state_(state),
        most_work_(most_work) {
    for (size_t op = 0; op < explored_.num_operators(); ++op)
      num_preconditions_.push_back(static_cast<int>(explored_.preconditions[op].size()));
    number_of_.assign(relaxation.num_propositions(), Relaxation::kNone);
  }

  Landmarks find(std::span<const int> relaxed_plan) {
    const int last = static_cast<int>(relaxation_.num_operators()) - 1;
    for (int fact : relaxation_.preconditions[last]) add(fact, true);
    const size_t num_goals = result_.count();
    for (int fact : candidates(relaxed_plan)) {
      if (number_of_[fact] != Relaxation::kNone || !is_needed(fact)) continue;
      add(fact, false);
      note_needs(fact);
    }
    for (size_t goal = 0; goal < num_goals && work_ <= most_work_; ++goal) {
      explore_without(result_.propositions[goal]);
      note_needs(result_.propositions[goal]);
    }
    return finish();
  }

 private:
  // In order of propositions, so that nothing depends on the relaxed plan's order.
  std::vector<int> candidates(std::span<const int> relaxed_plan) const {
    std::vector<int> facts;
    for (int op : relaxed_plan)
      for (int fact : relaxation_.preconditions[op]) facts.push_back(fact);
    std::sort(facts.begin(), facts.end());
    facts.erase(std::unique(facts.begin(), facts.end()), facts.end());
    std::erase(facts, relaxation_.truth());
    return facts;
  }

  void add(int fact, bool is_goal) {
    if (fact == relaxation_.truth()) return;
    number_of_[fact] = static_cast<int>(result_.count());
    result_.propositions.push_back(fact);
    result_.is_goal.push_back(is_goal);
  }

  bool is_needed(int fact) {
    if (work_ > most_work_) return false;
    explore_without(fact, relaxation_.goal());
    return !is_reached_[relaxation_.goal()];
  }

  void explore_without(int fact, int last = Relaxation::kNone) {
    num_missing_ = num_preconditions_;
    is_reached_.assign(relaxation_.num_propositions(), 0);
    is_reached_[fact] = 1;  // so that it is not entered
    queue_.clear();
    const auto reach = [&](int proposition) {
      if (is_reached_[proposition]) return;
      is_reached_[proposition] = 1;
      queue_.push_back(proposition);
    };
    for (int proposition : state_) reach(proposition);
    reach(relaxation_.truth());
    for (size_t next = 0; next < queue_.size() && (last == Relaxation::kNone || !is_reached_[last]); ++next) {
      const auto operators = explored_.precondition_of[queue_[next]];
      poll(operators.size());
      work_ += operators.size();
      for (int op : operators)
        if (--num_missing_[op] == 0)
          for (int effect : explored_.effects[op]) reach(effect);
    }
  }

  // The preconditions that all operators share which can be the first to achieve it: those in reach without it.
  void note_needs(int landmark) {
    std::vector<int> shared;
    bool is_first = true;
    for (int op : explored_.effect_of[landmark]) {
      if (num_missing_[op] > 0) continue;
      const auto needs = explored_.preconditions[op];
      if (is_first) shared.assign(needs.begin(), needs.end());
      if (!is_first) std::erase_if(shared, [&](int fact) { return !std::ranges::binary_search(needs, fact); });
      is_first = false;
    }
    for (int fact : shared) needs_.emplace_back(fact, number_of_[landmark]);
  }

  Landmarks finish() {
    std::erase_if(needs_, [&](const auto& need) { return number_of_[need.first] == Relaxation::kNone; });
    for (auto& [fact, landmark] : needs_) fact = number_of_[fact];
    std::sort(needs_.begin(), needs_.end());
    size_t next = 0;
    for (size_t landmark = 0; landmark < result_.count(); ++landmark) {
      for (; next < needs_.size() && needs_[next].first == static_cast<int>(landmark); ++next)
        result_.needed_for.add(needs_[next].second);
      result_.needed_for.close();
    }
    return std::move(result_);
  }

  const Relaxation& relaxation_;
  const Relaxation& explored_;  // without dominated operators: what is in reach, and what all need, is the same
  std::span<const int> state_;
  Landmarks result_;
  std::vector<int> num_preconditions_, num_missing_;  // by operator
  std::vector<uint8_t> is_reached_;                   // by proposition
  std::vector<int> number_of_;                        // by proposition: its landmark
  std::vector<int> queue_;
  std::vector<std::pair<int, int>> needs_;  // a fact, later as a landmark, and the landmark that needs it
  uint64_t most_work_, work_ = 0;
};

}  // namespace

Landmarks find_landmarks(const Relaxation& relaxation, std::span<const int> state, std::span<const int> relaxed_plan,
                         uint64_t most_work) {
  return LandmarkFinder(relaxation, state, most_work).find(relaxed_plan);
}

}  // namespace liftq
