#include "networks/kernels.h"
#include "networks/kernels_list.h"

#ifdef LIFTQ_X86_KERNELS
#include <immintrin.h>

namespace liftq {
namespace avx2 {
namespace {

constexpr size_t kVec = 8;
constexpr size_t kRows = 6;
typedef float Vec __attribute__((vector_size(4 * kVec), aligned(4), may_alias));
typedef int IntVec __attribute__((vector_size(4 * kVec), aligned(4), may_alias));

inline Vec larger(Vec a, Vec b) { return _mm256_max_ps(a, b); }
inline Vec smaller(Vec a, Vec b) { return _mm256_min_ps(a, b); }
// A division takes as long as 10 multiplications: an estimate and a step of Newton's method are as exact as we need.
inline Vec reciprocal(Vec x) {
  const Vec estimate = _mm256_rcp_ps(x);
  return estimate * (2.0f - x * estimate);
}

#include "networks/kernels_body.h"

}  // namespace

const Kernels table{"avx2", kPanel, multiply, copy, mish, mish_of_sum, add, take_maximum, receive, smooth_maximum};
}  // namespace avx2
}  // namespace liftq
#endif
