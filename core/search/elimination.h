// Removes loops and needless actions from plans (action elimination, Nakhost & Mueller, ICAPS 2010). Each action is
// left out in turn, with all later ones that then cannot be applied. If the goal still holds at the end, they stay out.
#pragma once

#include <vector>

#include "planning/ground_action.h"
#include "search/plan.h"

namespace liftq {

// `plan` is valid, and so is the plan returned, which is never longer.
std::vector<Step> without_needless_actions(Engine& engine, const std::vector<Step>& plan);

class Elimination {
 public:
  Elimination(Engine& engine, std::vector<Step> plan);

  void cut_loops();
  bool cut_actions();  // whether it removed any
  const std::vector<Step>& plan() const { return plan_; }

 private:
  void note_last_adders();
  bool succeeds_without(size_t first);  // and the later actions that then cannot be applied: left_out_
  bool replays_without(size_t first);   // the same for tasks that are not plain, state by state
  bool loses_goal(size_t index) const;  // for good, if this action is left out
  void leave_out(const std::vector<size_t>& indices);
  bool is_applicable(const GroundAction& action) const;
  bool goal_holds() const;
  void apply(const GroundAction& action);
  void set(AtomId atom, uint8_t value);
  void undo();

  Engine& engine_;
  std::vector<Step> plan_;
  std::vector<GroundAction> actions_;     // of the plan
  std::vector<AtomId> goal_, forbidden_;  // atoms that must hold in the end, sorted, and that must not
  std::vector<uint8_t> holds_;            // by atom, while the plan is replayed
  std::vector<AtomId> changed_;           // in this attempt, once per change
  std::vector<size_t> last_adder_;        // by atom: index into the plan
  std::vector<size_t> left_out_;
  bool is_plain_;
  StateId state_;  // before the action that is tried, if not plain
  uint64_t work_ = 0;
};

}  // namespace liftq
