// For any machine: four floats at a time.
#include "networks/kernels.h"
#include "networks/kernels_list.h"

namespace liftq {
namespace plain {
namespace {

constexpr size_t kVec = 4;
constexpr size_t kRows = 6;
typedef float Vec __attribute__((vector_size(4 * kVec), aligned(4), may_alias));
typedef int IntVec __attribute__((vector_size(4 * kVec), aligned(4), may_alias));

inline Vec larger(Vec a, Vec b) { return a > b ? a : b; }
inline Vec smaller(Vec a, Vec b) { return a < b ? a : b; }
inline Vec reciprocal(Vec x) { return 1.0f / x; }

#include "networks/kernels_body.h"

}  // namespace

const Kernels table{"plain", kPanel, multiply, copy, mish, mish_of_sum, add, take_maximum, receive, smooth_maximum};
}  // namespace plain
}  // namespace liftq
