// Acting by learned values: greedily, one action or several from each pass of the network, never back to a state of the
// run. A policy that has no way on, or comes no closer for long, is lost. Then it can search best-first by its values
// from all states seen, and act again from the first state that is closer to the goal. In the end this search sees
// every state, up to twins.
//
// To search, a node keeps the values of its candidates until each has been tried. The queue holds a node once, by its
// best candidate that is left; so a large branching factor costs four bytes per candidate and no stored successors.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "planning/engine.h"
#include "search/acting.h"
#include "search/ending.h"
#include "search/independence.h"
#include "search/progress.h"
#include "search/repetition.h"
#include "search/search_tree.h"
#include "search/step_bound.h"
#include "search/valuer.h"

namespace liftq {

class Rollout {
 public:
  static constexpr uint32_t kNone = SearchTree::kNone;

  Rollout(Valuer& valuer, size_t step_limit, const Acting& acting, StepBound* bound = nullptr)
      : engine_(valuer.engine()),
        valuer_(valuer),
        step_limit_(step_limit),
        acting_(acting),
        bound_(bound),
        independent_(engine_),
        keep_values_(acting.search) {}

  // These throw Stopped or std::bad_alloc at a limit; what was found so far stays. Work is counted as in
  // basics/watch.h.
  //
  // Acts until it is lost, but for so much work at least. None if it is lost then.
  std::optional<Ending> act(uint64_t least_work);
  // Searches until it is closer to the goal, for so many passes at most. None unless that ends it. If it is closer, it
  // acts from there.
  std::optional<Ending> search(size_t most_passes);
  void stop_searching() { keep_values_ = false; }  // for good
  // Goes along a plan from a node, and acts from its end. False if that state was visited before.
  bool follow(uint32_t node, const std::vector<Step>& plan);

  bool is_closer() const { return progress_.is_closer(); }  // than ever before, with the last state valued
  uint32_t closest() const { return progress_.node(); }     // node to the goal, by its own values
  StateId state(uint32_t node) const { return tree_.state(node); }
  size_t steps_left(uint32_t node) const { return step_limit_ - tree_.depth(node); }
  std::vector<Step> plan() const { return tree_.plan(newest()); }  // the plan if the ending is `solved`
  std::vector<bool> valued() const;  // by step of the plan: whether the state before it went through the network
  size_t num_expanded() const { return num_expanded_; }

 private:
  static constexpr float kTried = __builtin_inff();  // in place of a value

  struct Node {
    uint64_t first_value;  // into values_
    uint64_t num_values;
    float value;  // of the action that led here
    bool is_expanded;
  };
  struct Entry {
    float value;
    uint32_t node;
    bool operator<(const Entry& other) const {  // the last in a queue is the first to be taken
      return value != other.value ? value > other.value : node < other.node;
    }
  };
  struct Ranked {
    double value;  // with the price of repetition
    uint32_t candidate;
    bool operator<(const Ranked& other) const {  // the same, and of equals the first
      return value != other.value ? value > other.value : candidate > other.candidate;
    }
  };

  uint32_t newest() const { return tree_.size() - 1; }
  void rank(uint32_t node);
  Ranked next_ranked();
  uint32_t take_best(uint32_t node);        // by an action to a state that was not visited; kNone if there is none
  void take_others(uint32_t node);          // after the best
  void take_members(const Ranked& ranked);  // of its orbit
  void take_together(const Ranked& ranked, const int* arguments, bool needs_purpose);
  bool may_take_more();
  void note_taken(const Ranked& ranked);
  uint32_t take_next(uint32_t node);
  void expand(uint32_t node);
  uint64_t best_candidate(uint32_t node) const;  // that is not tried yet; num_values if there is none
  uint32_t best_child(uint32_t node);            // by an action to a state that was not visited; kNone if there is none
  uint32_t child_by_twin(uint32_t node, uint64_t candidate);
  std::vector<int> members(uint64_t candidate);  // of its orbit in the open node; none if it is alone or has too many
  uint32_t try_candidate(uint32_t node, uint64_t candidate, const int* arguments);
  bool is_visited(StateId state) const { return state < visited_.size() && visited_[state]; }
  uint32_t add_node(StateId state, uint32_t parent, int schema, const int* arguments, int arity);
  void open(uint32_t node);
  void enqueue(uint32_t node);

  Engine& engine_;
  Valuer& valuer_;
  size_t step_limit_;
  Acting acting_;
  StepBound* bound_;  // by which hopeless runs are given up, if that is wanted
  IndependentActions independent_;
  Repetition repetition_;
  Progress progress_;
  std::vector<Ranked> ranking_;  // a heap
  Ranked best_{};                // of this pass
  size_t num_taken_ = 0;         // from this pass
  SearchTree tree_;
  std::vector<Node> nodes_;  // what is known of those of the tree
  std::vector<float> values_, new_values_;
  std::vector<uint8_t> visited_;  // by state
  std::vector<Entry> queue_;
  Orbits orbits_;
  uint32_t open_node_ = kNone;  // the one that orbits_ belong to
  size_t num_expanded_ = 0;
  uint32_t num_enqueued_ = 0;  // nodes that the search knows of
  uint32_t acts_at_ = kNone;   // the node it is at
  bool keep_values_;
  bool cut_ = false;  // some node was not expanded because of the step limit
};

}  // namespace liftq
