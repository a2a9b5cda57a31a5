#include "basics/memory.h"

#ifdef __APPLE__
#include <malloc/malloc.h>
#else
#include <malloc.h>
#endif

#include <algorithm>
#include <cstdlib>
#include <new>

#include "basics/watch.h"

namespace liftq {

constinit thread_local Account account;

namespace {

int64_t size_of(void* memory) {
#ifdef __APPLE__
  return static_cast<int64_t>(malloc_size(memory));
#else
  return static_cast<int64_t>(malloc_usable_size(memory));
#endif
}

int64_t most_allowed() {
  int64_t left = INT64_MAX;
  for (Watch* watch = Watch::innermost(); watch; watch = watch->outer()) left = std::min(left, watch->bytes_left());
  return left < INT64_MAX ? account.held + left : INT64_MAX;
}

void* allocate(size_t size) {
  void* memory = std::malloc(size ? size : 1);
  if (!memory) throw std::bad_alloc();
  account.held += size_of(memory);
  if (account.held <= account.most) return memory;
  account.held -= size_of(memory);
  std::free(memory);
  throw std::bad_alloc();
}

void release(void* memory) noexcept {
  if (memory) account.held -= size_of(memory);
  std::free(memory);
}

}  // namespace

Metered::Metered() : before_(account.most) { account.most = most_allowed(); }

void Metered::refresh() {
  if (account.most != INT64_MAX) account.most = most_allowed();
}

}  // namespace liftq

// For this library alone: the linker binds them here, and Python loads libraries without sharing their symbols.
void* operator new(size_t size) { return liftq::allocate(size); }
void* operator new[](size_t size) { return liftq::allocate(size); }
void operator delete(void* memory) noexcept { liftq::release(memory); }
void operator delete[](void* memory) noexcept { liftq::release(memory); }
void operator delete(void* memory, size_t) noexcept { liftq::release(memory); }
void operator delete[](void* memory, size_t) noexcept { liftq::release(memory); }
