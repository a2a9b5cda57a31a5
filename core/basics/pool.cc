#include "basics/pool.h"

namespace liftq {

Pool::Pool(size_t threads) {
  for (size_t thread = 1; thread < threads; ++thread) workers_.emplace_back([this, thread] { serve(thread); });
}

Pool::~Pool() {
  ending_ = true;
  ++round_;
  round_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void Pool::run(size_t first, size_t last, Call call, void* context) {
  call_ = call;
  context_ = context;
  last_ = last;
  next_ = first;
  busy_ = workers_.size();
  ++round_;
  round_.notify_all();
  take_pieces(0);
  for (size_t busy = busy_; busy > 0; busy = busy_) busy_.wait(busy);
}

void Pool::take_pieces(size_t thread) {
  for (size_t piece = next_++; piece < last_; piece = next_++) call_(context_, piece, thread);
}

void Pool::serve(size_t thread) {
  for (unsigned seen = 0;; ++seen) {
    round_.wait(seen);
    if (ending_) return;
    take_pieces(thread);
    if (--busy_ == 0) busy_.notify_all();
  }
}

}  // namespace liftq
