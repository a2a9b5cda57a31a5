// Which actions of a state can be taken together: those that are independent (Blum & Furst, IJCAI 1995), so that any
// order leads to the same state, and that serve different purposes.
//
// Two satellites that turn to the same direction are independent, but one picture needs only one of them. So an
// action's purpose is what it adds about objects of open goals, regardless of which object acts. Objects that no open
// goal mentions do not count. Nor does the first object of an added atom if it has a goal of this kind elsewhere. An
// action that adds nothing about the remaining objects has no known purpose and is always admitted.
//
// Actions with conditional effects, or with conditions on derived atoms, are taken alone.
#pragma once

#include <cstdint>
#include <unordered_set>
#include <vector>

#include "planning/ground_action.h"

namespace liftq {

class IndependentActions {
 public:
  explicit IndependentActions(Engine& engine);

  void begin(StateId state);                          // forgets the actions of another state
  bool admits(int schema, const int* arguments);      // an applicable action
  bool has_purpose() const { return purpose_ != 0; }  // the same one
  void add();                                         // the action of the last call of `admits`

 private:
  enum Role : uint8_t { kNeeded = 1, kForbidden = 2, kAdded = 4, kDeleted = 8 };

  template <class Visit>
  void visit(Visit visit) const;
  uint64_t purpose() const;
  uint64_t purpose_of(AtomId atom) const;

  Engine& engine_;
  GroundAction action_;
  bool is_plain_ = true;         // action_
  bool is_alone_ = false;        // an action was added that is not plain
  uint64_t purpose_ = 0;         // of action_
  std::vector<uint8_t> roles_;   // by atom, for the actions added
  std::vector<AtomId> touched_;  // atoms with roles
  std::unordered_set<AtomId> open_goals_;
  std::unordered_set<uint64_t> has_goal_;  // pairs of a predicate and a first object
  std::vector<uint8_t> is_wanted_;         // by object: whether an open goal mentions it
  std::unordered_set<uint64_t> purposes_;
};

}  // namespace liftq
