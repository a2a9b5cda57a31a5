// Every version of the kernels that is compiled in.
#pragma once

#include "networks/kernels.h"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define LIFTQ_X86_KERNELS  // clang has no pragma for the target of a part of a file
#endif

namespace liftq {

namespace plain {
extern const Kernels table;
}
#ifdef LIFTQ_X86_KERNELS
namespace avx2 {
extern const Kernels table;
}
namespace avx512 {
extern const Kernels table;
}
#endif

}  // namespace liftq
