#include "search/elimination.h"

#include <algorithm>
#include <unordered_map>

#include "basics/watch.h"

namespace liftq {

namespace {
constexpr size_t kNever = SIZE_MAX;
constexpr uint64_t kMostWork = 200'000'000;  // actions looked at: about two seconds
constexpr uint64_t kWorkOfState = 1000;      // to open one
}  // namespace

std::vector<Step> without_needless_actions(Engine& engine, const std::vector<Step>& plan) {
  Elimination elimination(engine, plan);
  elimination.cut_loops();
  while (elimination.cut_actions()) elimination.cut_loops();
  return elimination.plan();
}

Elimination::Elimination(Engine& engine, std::vector<Step> plan)
    : engine_(engine), plan_(std::move(plan)), is_plain_(is_plain(engine.task())), state_(engine.initial_state()) {
  const auto add_fluents = [&](const std::vector<GroundAtom>& goal, std::vector<AtomId>& atoms) {
    for (const GroundAtom& atom : goal)
      if (!engine_.task().predicates[atom.predicate].is_static) atoms.push_back(engine_.intern(atom));
  };
  add_fluents(engine_.task().goal_positive, goal_);
  add_fluents(engine_.task().goal_negative, forbidden_);
  std::sort(goal_.begin(), goal_.end());
  actions_.resize(plan_.size());
  for (size_t i = 0; i < plan_.size(); ++i) {
    poll(10);
    ground(engine_, plan_[i].schema, plan_[i].arguments.data(), actions_[i]);
  }
}

void Elimination::leave_out(const std::vector<size_t>& indices) {  // rising
  size_t count = 0, next = 0;
  for (size_t i = 0; i < plan_.size(); ++i) {
    if (next < indices.size() && indices[next] == i) {
      ++next;
      continue;
    }
    std::swap(plan_[count], plan_[i]);
    std::swap(actions_[count], actions_[i]);
    ++count;
  }
  plan_.resize(count);
  actions_.resize(count);
}

void Elimination::cut_loops() {
  std::vector<StateId> states{engine_.initial_state()};
  for (const Step& step : plan_) states.push_back(engine_.successor(states.back(), step.schema, step.arguments.data()));
  std::unordered_map<StateId, size_t> last;  // when a state is left for good
  for (size_t i = 0; i < states.size(); ++i) last[states[i]] = i;
  left_out_.clear();
  for (size_t i = 0; i < plan_.size(); ++i)
    for (const size_t end = last[states[i]]; i < end; ++i) left_out_.push_back(i);
  leave_out(left_out_);
}

bool Elimination::cut_actions() {
  const size_t before = plan_.size();
  holds_.assign(engine_.atoms().size(), 0);
  for (AtomId atom : engine_.atoms_of(engine_.initial_state())) holds_[atom] = 1;
  note_last_adders();
  state_ = engine_.initial_state();
  for (size_t i = 0; i < plan_.size() && work_ < kMostWork;) {
    if (is_plain_ ? succeeds_without(i) : replays_without(i)) {
      leave_out(left_out_);
      note_last_adders();
    } else {
      if (!is_plain_) state_ = engine_.successor(state_, plan_[i].schema, plan_[i].arguments.data());
      apply(actions_[i]);
      changed_.clear();
      ++i;
    }
  }
  return plan_.size() < before;
}

void Elimination::note_last_adders() {
  last_adder_.assign(engine_.atoms().size(), kNever);
  for (size_t i = 0; i < actions_.size(); ++i)
    for (AtomId atom : actions_[i].adds) last_adder_[atom] = i;
}

bool Elimination::succeeds_without(size_t first) {
  left_out_.assign(1, first);
  bool succeeds = !loses_goal(first);
  for (size_t i = first + 1; succeeds && i < actions_.size(); ++i) {
    poll();
    ++work_;
    if (is_applicable(actions_[i])) {
      apply(actions_[i]);
    } else {
      left_out_.push_back(i);
      succeeds = !loses_goal(i);
    }
  }
  succeeds = succeeds && goal_holds();
  undo();
  return succeeds;
}

bool Elimination::replays_without(size_t first) {
  left_out_.assign(1, first);
  StateId state = state_;
  for (size_t i = first + 1; i < plan_.size(); ++i) {
    work_ += kWorkOfState;
    const int* arguments = plan_[i].arguments.data();
    if (engine_.applicable(state, plan_[i].schema, arguments))
      state = engine_.successor(state, plan_[i].schema, arguments);
    else
      left_out_.push_back(i);
  }
  return engine_.is_goal(state);
}

// Its last chance to hold in the end; most attempts that fail do so here, after a few actions.
bool Elimination::loses_goal(size_t index) const {
  const std::vector<AtomId>& adds = actions_[index].adds;
  return std::any_of(adds.begin(), adds.end(), [&](AtomId atom) {
    return last_adder_[atom] == index && !holds_[atom] && std::binary_search(goal_.begin(), goal_.end(), atom);
  });
}

bool Elimination::is_applicable(const GroundAction& action) const {
  const auto holds = [&](AtomId atom) { return holds_[atom] != 0; };
  return std::all_of(action.needs.begin(), action.needs.end(), holds) &&
         std::none_of(action.forbids.begin(), action.forbids.end(), holds);
}

bool Elimination::goal_holds() const {
  const auto holds = [&](AtomId atom) { return holds_[atom] != 0; };
  return std::all_of(goal_.begin(), goal_.end(), holds) && std::none_of(forbidden_.begin(), forbidden_.end(), holds);
}

void Elimination::apply(const GroundAction& action) {
  for (AtomId atom : action.deletes) set(atom, 0);
  for (AtomId atom : action.adds) set(atom, 1);
}

void Elimination::set(AtomId atom, uint8_t value) {
  if (holds_[atom] == value) return;
  holds_[atom] = value;
  changed_.push_back(atom);
}

void Elimination::undo() {
  for (AtomId atom : changed_) holds_[atom] ^= 1;
  changed_.clear();
}

}  // namespace liftq
