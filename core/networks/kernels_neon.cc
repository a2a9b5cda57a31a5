// For 64-bit ARM, where every processor has these instructions.
#include "networks/kernels.h"
#include "networks/kernels_list.h"

#ifdef LIFTQ_NEON_KERNELS
#include <arm_neon.h>

namespace liftq {
namespace neon {
namespace {

constexpr size_t kVec = 4;
constexpr size_t kRows = 12;  // 24 of the 32 registers hold sums
typedef float Vec __attribute__((vector_size(4 * kVec), aligned(4), may_alias));
typedef int IntVec __attribute__((vector_size(4 * kVec), aligned(4), may_alias));

inline Vec larger(Vec a, Vec b) { return vmaxq_f32(a, b); }
inline Vec smaller(Vec a, Vec b) { return vminq_f32(a, b); }
inline Vec reciprocal(Vec x) { return 1.0f / x; }

#include "networks/kernels_body.h"

}  // namespace

const Kernels table{"neon", kPanel, multiply, copy, mish, mish_of_sum, add, take_maximum, receive, smooth_maximum};
}  // namespace neon
}  // namespace liftq
#endif
