// For any machine: four floats at a time.
#include <cstddef>

#include "kernels.h"
#include "kernels_list.h"

namespace liftq {
namespace plain {
namespace {
#define LIFTQ_LANES 4
#define LIFTQ_ROWS 6
#include "kernels_body.h"
}  // namespace

const Kernels table{"plain", kPanel, multiply, mish, add, take_maximum, receive, smooth_maximum};
}  // namespace plain
}  // namespace liftq
