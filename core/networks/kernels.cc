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

const char* wanted_version() { return std::getenv("LIFTQ_KERNELS"); }

const Kernels& choose() {
  const char* wanted = wanted_version();
  for (const Kernels* version : kVersions)
    if (runs_here(*version) && (!wanted || !std::strcmp(wanted, version->name))) return *version;
  return plain::table;
}

// The tile unit is left alone if the environment asks for a version by name.
MultiplyBfloat16 choose_bfloat16() {
#ifdef LIFTQ_X86_KERNELS
  if (&kernels() == &avx512::table && __builtin_cpu_supports("avx512bf16")) {
    const bool tiles = !wanted_version() && amx::runs_here();
    return tiles ? amx::multiply : bfloat16::multiply;
  }
#endif
  return nullptr;
}

}  // namespace

const Kernels& kernels() {
  static const Kernels& chosen = choose();
  return chosen;
}

MultiplyBfloat16 multiply_bfloat16() {
  static const MultiplyBfloat16 chosen = choose_bfloat16();
  return chosen;
}

}  // namespace liftq
