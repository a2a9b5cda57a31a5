// 64-bit mixing with fixed constants: the same numbers in every process, so that runs can be repeated.
#pragma once

#include <cstdint>

namespace liftq {

constexpr uint64_t mix(uint64_t x) {  // the finaliser of splitmix64
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

// Hashes p(o1..on) as mix(tag + sum of weight(position) * code(object)). A signature replaces one object by
// `kPlaceholder`; sums of such hashes describe sets of atoms and can be updated by adding and subtracting.
constexpr uint64_t position_weight(int position) { return mix(0x1000 + position) | 1; }
constexpr uint64_t object_code(int object) { return mix(0x100000000ULL + object); }
constexpr int kPlaceholder = -1;
constexpr int kOtherPlaceholder = -2;

inline uint64_t hash_atom(uint64_t tag, const int* arguments, int arity) {
  uint64_t sum = mix(tag);
  for (int i = 0; i < arity; ++i) sum += position_weight(i) * object_code(arguments[i]);
  return mix(sum);
}

}  // namespace liftq
