#include <cstddef>

#include "kernels.h"
#include "kernels_list.h"

#ifdef LIFTQ_X86_KERNELS
#pragma GCC push_options
#pragma GCC target("avx512f,avx512dq,avx512vl,fma")

namespace liftq {
namespace avx512 {
namespace {
#define LIFTQ_LANES 16
#define LIFTQ_ROWS 12
#include "kernels_body.h"
}  // namespace

const Kernels table{"avx512", kPanel, multiply, mish, add, take_maximum, receive, smooth_maximum};
}  // namespace avx512
}  // namespace liftq

#pragma GCC pop_options
#endif
