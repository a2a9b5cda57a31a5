#include "networks/kernels.h"

#include <cstdlib>
#include <cstring>

#include "networks/kernels_list.h"

namespace liftq {

namespace {

const Kernels* const kVersions[] = {
#ifdef LIFTQ_X86_KERNELS
    &avx512::table,
    &avx2::table,
#endif
#ifdef LIFTQ_NEON_KERNELS
    &neon::table,
#endif
    &plain::table,
};

bool runs_here([[maybe_unused]] const Kernels& version) {
#ifdef LIFTQ_X86_KERNELS
  const bool wide = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (&version == &avx2::table) return wide;
  if (&version == &avx512::table)
    return wide && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
#endif
  return true;
}

const Kernels& choose() {
  const char* wanted = std::getenv("LIFTQ_KERNELS");
  for (const Kernels* version : kVersions)
    if (runs_here(*version) && (!wanted || !std::strcmp(wanted, version->name))) return *version;
  return plain::table;
}

}  // namespace

const Kernels& kernels() {
  static const Kernels& chosen = choose();
  return chosen;
}

}  // namespace liftq
