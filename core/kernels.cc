#include "kernels.h"

#include <cstring>
#include <initializer_list>

#include "kernels_list.h"

namespace liftq {

const Kernels* kernels_named(const char* name) {
  if (!std::strcmp(name, "plain")) return &plain::table;
#ifdef LIFTQ_X86_KERNELS
  const bool fma = __builtin_cpu_supports("fma");
  if (!std::strcmp(name, "avx2") && __builtin_cpu_supports("avx2") && fma) return &avx2::table;
  if (!std::strcmp(name, "avx512") && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl") && fma)
    return &avx512::table;
#endif
  return nullptr;
}

const Kernels& kernels() {
  static const Kernels& best = [&]() -> const Kernels& {
    for (const char* name : {"avx512", "avx2"})
      if (const Kernels* found = kernels_named(name)) return *found;
    return plain::table;
  }();
  return best;
}

}  // namespace liftq
