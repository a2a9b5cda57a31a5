#include "networks/kernels.h"
#include "networks/kernels_list.h"

#ifdef LIFTQ_X86_KERNELS
#include <immintrin.h>

namespace liftq {
namespace avx512 {
namespace {

constexpr size_t kVec = 16;
constexpr size_t kRows = 12;
constexpr __mmask16 kAll = 0xFFFF;  // intrinsics without a mask make GCC 12 warn of an undefined operand
typedef float Vec __attribute__((vector_size(4 * kVec), aligned(4), may_alias));
typedef int IntVec __attribute__((vector_size(4 * kVec), aligned(4), may_alias));

inline Vec larger(Vec a, Vec b) { return _mm512_maskz_max_ps(kAll, a, b); }
inline Vec smaller(Vec a, Vec b) { return _mm512_maskz_min_ps(kAll, a, b); }
// A division takes as long as 20 multiplications: an estimate and a step of Newton's method are as exact as we need.
inline Vec reciprocal(Vec x) {
  const Vec estimate = _mm512_maskz_rcp14_ps(kAll, x);
  return estimate * (2.0f - x * estimate);
}

#include "networks/kernels_body.h"

}  // namespace

const Kernels table{"avx512", kPanel, multiply, copy, mish, mish_of_sum, add, take_maximum, receive, smooth_maximum};
}  // namespace avx512
}  // namespace liftq
#endif
