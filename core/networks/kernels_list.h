// Every version of the kernels that is compiled in.
#pragma once

#include "networks/kernels.h"

namespace liftq {

namespace plain {
extern const Kernels table;
}
#ifdef LIFTQ_NEON_KERNELS  // set by CMake
namespace neon {
extern const Kernels table;
}
#endif
#ifdef LIFTQ_X86_KERNELS  // set by CMake, with the flags of each file
namespace avx2 {
extern const Kernels table;
}
namespace avx512 {
extern const Kernels table;
}
#endif

}  // namespace liftq
