// A fixed set of threads that share out numbered pieces of work, in order of their numbers.
#pragma once

#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace liftq {

class Pool {
 public:
  explicit Pool(size_t threads);
  ~Pool();
  Pool(const Pool&) = delete;

  size_t threads() const { return workers_.size() + 1; }

  // work(piece, thread) for every piece below `count`; returns when all are done. Pieces start in order, so that one
  // may wait for those before it. `work` must not throw.
  template <class Work>
  void for_each(size_t count, Work&& work) {
    if (workers_.empty() || count < 2) {
      for (size_t piece = 0; piece < count; ++piece) work(piece, size_t{0});
      return;
    }
    run(
        count, [](void* context, size_t piece, size_t thread) { (*static_cast<Work*>(context))(piece, thread); },
        const_cast<void*>(static_cast<const void*>(&work)));
  }

 private:
  using Call = void (*)(void* context, size_t piece, size_t thread);
  void run(size_t count, Call call, void* context);
  void take_pieces(size_t thread);
  void serve(size_t thread);

  std::vector<std::thread> workers_;
  Call call_ = nullptr;
  void* context_ = nullptr;
  size_t count_ = 0;
  std::atomic<size_t> next_{0};
  std::atomic<size_t> busy_{0};
  std::atomic<unsigned> round_{0};
  std::atomic<bool> ending_{false};
};

}  // namespace liftq
