// Counts what each thread allocates. Beyond the thread's limit, operator new throws std::bad_alloc.
#pragma once

#include <cstdint>

namespace liftq {

struct Account {
  int64_t held = 0;  // bytes; what another thread frees is subtracted there instead of here
  int64_t most = INT64_MAX;
};
extern constinit thread_local Account account __attribute__((tls_model("initial-exec")));

// During its lifetime, the thread may allocate no more than its watches allow.
class Metered {
 public:
  Metered();
  ~Metered() { account.most = before_; }
  Metered(const Metered&) = delete;

  static void refresh();  // from time to time, as other threads and Python need memory too

 private:
  int64_t before_;
};

}  // namespace liftq
