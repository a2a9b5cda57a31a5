// A fixed set of threads that share out numbered pieces of work, in order of their numbers.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

#include "basics/watch.h"

namespace liftq {

class Pool {
 public:
  explicit Pool(size_t threads);
  ~Pool();
  Pool(const Pool&) = delete;

  size_t threads() const { return workers_.size() + 1; }

  // Calls work(piece, thread) for every piece below `count` and returns when all are done. Pieces start in order, so
  // that one may wait for earlier ones. `work` must not throw; the pool polls the watches.
  template <class Work>
  void for_each(size_t count, Work&& work) {
    for (size_t first = 0; first < count; first += kPiecesBetweenLooks) {
      const size_t last = std::min(count, first + kPiecesBetweenLooks);
      poll((last - first) * kWorkOfPiece);
      run_pieces(first, last, work);
    }
  }

 private:
  static constexpr size_t kPiecesBetweenLooks = 512;
  static constexpr size_t kWorkOfPiece = 500;  // for `poll`: some 10 to 100 microseconds
  using Call = void (*)(void* context, size_t piece, size_t thread);

  template <class Work>
  void run_pieces(size_t first, size_t last, Work& work) {
    if (workers_.empty() || last - first < 2) {
      for (size_t piece = first; piece < last; ++piece) work(piece, size_t{0});
      return;
    }
    run(
        first, last, [](void* context, size_t piece, size_t thread) { (*static_cast<Work*>(context))(piece, thread); },
        const_cast<void*>(static_cast<const void*>(&work)));
  }
  void run(size_t first, size_t last, Call call, void* context);
  void take_pieces(size_t thread);
  void serve(size_t thread);

  std::vector<std::thread> workers_;
  Call call_ = nullptr;
  void* context_ = nullptr;
  size_t last_ = 0;
  std::atomic<size_t> next_{0};
  std::atomic<size_t> busy_{0};
  std::atomic<unsigned> round_{0};
  std::atomic<bool> ending_{false};
};

}  // namespace liftq
