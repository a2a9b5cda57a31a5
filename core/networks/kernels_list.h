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
namespace bfloat16 {
void multiply(const float* a, size_t rows, size_t depth, const uint16_t* packed, size_t columns, const float* bias,
              bool add, float* c);
}
namespace amx {
bool runs_here();  // asks the operating system, too: it grants the tile unit to a process that asks
void multiply(const float* a, size_t rows, size_t depth, const uint16_t* packed, size_t columns, const float* bias,
              bool add, float* c);
}  // namespace amx
#endif

}  // namespace liftq
