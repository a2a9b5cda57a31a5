// LM-cut (Helmert & Domshlak, ICAPS 2009), with the rules and tie-breaking of Fast Downward 26.
//
// LM-cut lowers costs until the goal is free: each round finds a cut between the state and the zone from which the goal
// is free already, lowers the costs of its operators by the smallest of them, and adds that to the value. Between
// rounds, h_max is updated from the cut on. Where several operators stand for an action with conditional effects, the
// cost of all of them is lowered (Roeger, Pommerening & Helmert, ECAI 2014, without context splitting). Small goal
// zones make strong cuts, so where several preconditions could support a free operator, one that keeps the zone small
// is preferred: in visitall that doubles the value.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heuristics/exploration.h"

namespace liftq {

struct Cut {  // a disjunctive landmark: every relaxed plan uses one of its operators
  int cost;
  std::vector<int> operators;
};

class LmCut : public Heuristic {
 public:
  explicit LmCut(const Relaxation& relaxation);

  int64_t value(std::span<const int> state) override { return add_cuts(state, nullptr); }
  int64_t add_cuts(std::span<const int> state,
                   std::vector<Cut>* cuts);  // returns the value; `cuts`, if not null, gets all cuts

 private:
  struct Operator {
    int cost;            // what is left of it
    int num_missing;     // preconditions not reached
    int supporter;       // a precondition with the highest h_max, once all are reached
    int supporter_cost;  // its h_max
    uint32_t zone;       // `goal_zone_` if some effect is in it
  };

  void explore(std::span<const int> state);
  void add_siblings();
  void update_after_cut();
  void update_supporter(int op);
  void lower_costs(int amount);
  void mark_goal_zone();
  void enter_goal_zone(int proposition);
  void prefer_small_zone(int op);
  void find_cut(std::span<const int> state);
  void leave(int proposition);
  void next_round();
  void enqueue_effects(int op, int cost);

  const Relaxation& relaxation_;
  Exploration h_max_;
  std::vector<Operator> fresh_;      // by operator, before exploration
  std::vector<Operator> operators_;  // by operator
  std::vector<uint32_t> zone_;       // by proposition: `goal_zone_`, `before_zone_`, or the mark of an earlier round
  uint32_t goal_zone_ = 1, before_zone_ = 2;
  std::vector<int> fresh_num_free_achievers_, num_free_achievers_;  // by proposition: operators that cost nothing
  struct Entry {
    int proposition;
    uint32_t next;  // achiever to follow
  };
  std::vector<Entry> path_;      // of the search through the goal zone, which is depth first
  std::vector<int> entering_;    // operators with an effect in the goal zone
  std::vector<int> stack_;       // propositions
  std::vector<int> cut_;         // operators
  bool has_siblings_;            // whether several operators stand for one action
  std::vector<uint8_t> is_cut_;  // by operator: scratch of add_siblings
};

}  // namespace liftq
