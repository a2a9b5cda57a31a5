// Many plays of one policy side by side, each in a thread of its own, whose states are valued together.
//
// A play is the same roll-out as any other. Where it needs values, it hands over its graph and sleeps. Who owns the
// plays takes the graphs that wait, united, values them in whatever way, and gives the values back. Meanwhile, plays
// that were not waiting go on.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "networks/graph.h"
#include "search/acting.h"
#include "search/solution.h"

namespace liftq {

class Plays {
 public:
  // Of graphs with these relations.
  Plays(std::vector<int> arity, bool with_actions);
  ~Plays();  // stops them
  Plays(const Plays&) = delete;

  const std::vector<int>& arity() const { return arity_; }

  // Returns the number of the play. The engine is in use until the play has ended.
  size_t start(Engine& engine, GraphBuilder builder, size_t step_limit, const Acting& acting);
  // The graphs of plays that wait, up to about so many nodes. Waits until half of the plays do; null if one has ended,
  // or none is running. Plays whose graphs were taken before must have been given their values.
  const Graph* take(size_t most_nodes);
  void give(const float* values);  // of what was taken: one by candidate or, without actions, by choice
  size_t values_wanted() const;    // by `give`

  struct Ended {
    size_t number;
    Solution solution;
    std::exception_ptr error;  // instead of a solution
  };
  std::optional<Ended> ended();  // one of those that have ended

 private:
  struct Play;
  void wait_for_values(Play& play);

  std::vector<int> arity_;
  bool with_actions_;
  size_t num_started_ = 0;
  std::map<size_t, std::unique_ptr<Play>> plays_;  // by number
  Graph united_;
  std::vector<Play*> taken_;

  std::mutex mutex_;
  std::condition_variable changed_;
  size_t num_running_ = 0;  // guarded by the mutex, as are these two:
  std::vector<Play*> waiting_;
  std::vector<size_t> ended_;
  std::atomic<bool> stopped_ = false;
};

}  // namespace liftq
