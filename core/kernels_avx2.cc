#include <cstddef>

#include "kernels.h"
#include "kernels_list.h"

#ifdef LIFTQ_X86_KERNELS
#pragma GCC push_options
#pragma GCC target("avx2,fma")

namespace liftq {
namespace avx2 {
namespace {
#define LIFTQ_LANES 8
#define LIFTQ_ROWS 6
#include "kernels_body.h"
}  // namespace

const Kernels table{"avx2", kPanel, multiply, mish, add, take_maximum, receive, smooth_maximum};
}  // namespace avx2
}  // namespace liftq

#pragma GCC pop_options
#endif
