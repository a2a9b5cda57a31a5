#include "search/plays.h"

#include <chrono>
#include <semaphore>
#include <thread>
#include <utility>

#include "basics/watch.h"
#include "search/solve.h"
#include "search/valuer.h"

namespace liftq {

namespace {
constexpr auto kPatience = std::chrono::milliseconds(20);  // then fewer than half of the plays are enough
constexpr size_t kNodesOfPlay = 100'000;                   // of successors that a play has valued together
}  // namespace

struct Plays::Play : GraphValuer {
  Play(Plays& plays, size_t number) : plays(plays), number(number) {}

  bool with_actions() const override { return plays.with_actions_; }
  const std::vector<int>& arity() const override { return plays.arity_; }
  size_t nodes_together() const override { return kNodesOfPlay; }
  void values(const Graph& asked, std::vector<float>& answer) override {
    graph = &asked;
    answer.resize(count());
    result = answer.data();
    plays.wait_for_values(*this);
  }
  size_t count() const { return with_actions() ? graph->candidate_node.size() : graph->first_node.size() - 1; }

  Plays& plays;
  size_t number;
  const Graph* graph = nullptr;
  float* result = nullptr;
  std::binary_semaphore is_valued{0};
  Solution solution;
  std::exception_ptr error;
  std::thread thread;
};

Plays::Plays(std::vector<int> arity, bool with_actions)
    : arity_(std::move(arity)), with_actions_(with_actions), united_(arity_.size()) {}

Plays::~Plays() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    for (Play* play : waiting_) play->is_valued.release();
    for (Play* play : taken_) play->is_valued.release();
  }
  for (auto& [number, play] : plays_) play->thread.join();
}

size_t Plays::start(Engine& engine, GraphBuilder builder, size_t step_limit, const Acting& acting) {
  auto made = std::make_unique<Play>(*this, num_started_);
  Play& play = *made;
  {
    const std::lock_guard lock(mutex_);
    ++num_running_;
  }
  play.thread = std::thread([this, &play, &engine, builder = std::move(builder), step_limit, acting]() mutable {
    asked_to_stop = &stopped_;
    try {
      Valuer valuer(play, engine, std::move(builder), true);
      play.solution = solve_by_policy(valuer, step_limit, acting);
      play.solution.held.clear();  // by the thread that allocated it, as memory is counted by thread
    } catch (...) {
      play.error = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    --num_running_;
    ended_.push_back(play.number);
    changed_.notify_one();
  });
  plays_.emplace(num_started_, std::move(made));
  return num_started_++;
}

void Plays::wait_for_values(Play& play) {
  {
    const std::lock_guard lock(mutex_);
    if (stopped_) throw Stopped(Stop::interrupt);
    waiting_.push_back(&play);
    if (2 * waiting_.size() >= num_running_) changed_.notify_one();
  }
  play.is_valued.acquire();
  if (stopped_) throw Stopped(Stop::interrupt);
}

const Graph* Plays::take(size_t most_nodes) {
  std::unique_lock lock(mutex_);
  const auto is_enough = [&] { return !ended_.empty() || 2 * waiting_.size() >= num_running_; };
  while (!changed_.wait_for(lock, kPatience, is_enough) && waiting_.empty()) look();
  if (waiting_.empty() || !ended_.empty()) return nullptr;
  size_t nodes = 0;
  auto last = waiting_.begin();
  while (last != waiting_.end() && nodes < most_nodes) nodes += (*last++)->graph->multiplicity.size();
  taken_.assign(waiting_.begin(), last);
  waiting_.erase(waiting_.begin(), last);
  lock.unlock();
  look();
  united_.clear();
  for (const Play* play : taken_) united_.append(*play->graph);
  return &united_;
}

size_t Plays::values_wanted() const {
  size_t count = 0;
  for (const Play* play : taken_) count += play->count();
  return count;
}

void Plays::give(const float* values) {
  for (Play* play : taken_) {
    const size_t count = play->count();
    std::copy_n(values, count, play->result);
    values += count;
    play->is_valued.release();
  }
  taken_.clear();
}

std::optional<Plays::Ended> Plays::ended() {
  std::unique_lock lock(mutex_);
  if (ended_.empty()) return {};
  const size_t number = ended_.back();
  ended_.pop_back();
  lock.unlock();
  const auto node = plays_.extract(number);
  Play& play = *node.mapped();
  play.thread.join();
  return Ended{number, std::move(play.solution), play.error};
}

}  // namespace liftq
