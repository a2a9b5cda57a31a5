#include "basics/watch.h"

#include <unistd.h>

#include <cstdio>

namespace liftq {

namespace {
constexpr double kLookEvery = 0.005;  // seconds: reading /proc takes about 10 microseconds
}

void Watch::look() {
  const double now = seconds();
  if (now >= limits_.seconds) {
    stop_ = Stop::time;
    return;
  }
  if (now < next_look_) return;
  next_look_ = now + kLookEvery;
  if (limits_.interrupted && limits_.interrupted())
    stop_ = Stop::interrupt;
  else if (static_cast<double>(resident_bytes()) >= limits_.bytes)
    stop_ = Stop::memory;
}

size_t resident_bytes() {
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  if (!file) return 0;
  unsigned long total = 0, resident = 0;
  const int read = std::fscanf(file, "%lu %lu", &total, &resident);
  std::fclose(file);
  return read == 2 ? resident * static_cast<size_t>(sysconf(_SC_PAGESIZE)) : 0;
}

}  // namespace liftq
