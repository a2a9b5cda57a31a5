// Products with bfloat16 inputs and float32 sums on the tile unit (AMX): a tile is 16 rows of 64 bytes, and one
// instruction multiplies 16 x 32 inputs with 32 x 16 weights.
#include "networks/kernels.h"
#include "networks/kernels_list.h"

#ifdef LIFTQ_X86_KERNELS
#include <cpuid.h>
#include <immintrin.h>
#ifdef __linux__
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace liftq {
namespace amx {
namespace {

constexpr size_t kSide = 16;         // rows of a tile, and float32 in one of its rows
constexpr size_t kStep = 2 * kSide;  // inputs in a row of a tile
constexpr size_t kMostInputs = 512;  // of a row: what is rounded stays in the first cache

// Tells the compiler that tiles are loaded from and stored to memory, which not all versions know.
inline void settle() { asm volatile("" ::: "memory"); }

struct alignas(64) Configuration {
  uint8_t palette = 1, start_row = 0, reserved[14] = {};
  uint16_t row_bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
  uint8_t rows[16] = {kSide, kSide, kSide, kSide, kSide, kSide, kSide, kSide};
};

inline void round_inputs(const float* a, size_t count, uint16_t* inputs) {
  for (size_t i = 0; i < count; i += kSide) {
    const __m256bh rounded = _mm512_cvtneps_pbh(_mm512_loadu_ps(a + i));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(inputs + i), (__m256i)rounded);
  }
}

// Macros, as the compiler wants the number of a tile as a literal. Sums start with the bias in every row, with what is
// there, or with 0.
#define LIFTQ_START(tile, row, column)                                                        \
  do {                                                                                        \
    if (add)                                                                                  \
      _tile_loadd(tile, c + row * kSide * columns + column * kSide, columns * sizeof(float)); \
    else if (bias)                                                                            \
      _tile_loadd(tile, bias + column * kSide, 0);                                            \
    else                                                                                      \
      _tile_zero(tile);                                                                       \
  } while (false)
#define LIFTQ_STORE(tile, row, column) \
  _tile_stored(tile, c + row * kSide * columns + column * kSide, columns * sizeof(float))

// R x V tiles of the product are kept in tiles 0 to 3; tiles 4 and 5 hold inputs, 6 and 7 weights.
template <size_t R, size_t V>
inline void multiply_block(const uint16_t* inputs, size_t depth, const uint16_t* panel, const float* bias, bool add,
                           float* c, size_t columns) {
  LIFTQ_START(0, 0, 0);
  if constexpr (V > 1) LIFTQ_START(1, 0, 1);
  if constexpr (R > 1) LIFTQ_START(2, 1, 0);
  if constexpr (R > 1 && V > 1) LIFTQ_START(3, 1, 1);
  constexpr size_t kPairs = V * kSide * 2;  // bfloat16 of one pair of inputs in a panel
  for (size_t k = 0; k < depth; k += kStep) {
    const uint16_t* weights = panel + k / 2 * kPairs;
    _tile_loadd(6, weights, kPairs * sizeof(uint16_t));
    if constexpr (V > 1) _tile_loadd(7, weights + kStep, kPairs * sizeof(uint16_t));
    _tile_loadd(4, inputs + k, depth * sizeof(uint16_t));
    _tile_dpbf16ps(0, 4, 6);
    if constexpr (V > 1) _tile_dpbf16ps(1, 4, 7);
    if constexpr (R > 1) {
      _tile_loadd(5, inputs + kSide * depth + k, depth * sizeof(uint16_t));
      _tile_dpbf16ps(2, 5, 6);
      if constexpr (V > 1) _tile_dpbf16ps(3, 5, 7);
    }
  }
  LIFTQ_STORE(0, 0, 0);
  if constexpr (V > 1) LIFTQ_STORE(1, 0, 1);
  if constexpr (R > 1) LIFTQ_STORE(2, 1, 0);
  if constexpr (R > 1 && V > 1) LIFTQ_STORE(3, 1, 1);
}

template <size_t R>
inline void multiply_rows(const float* a, size_t depth, const uint16_t* packed, size_t columns, const float* bias,
                          bool add, float* c) {
  alignas(64) uint16_t inputs[R * kSide * kMostInputs];
  round_inputs(a, R * kSide * depth, inputs);
  settle();
  size_t column = 0;
  for (; column + kBfloat16Panel <= columns; column += kBfloat16Panel)
    multiply_block<R, 2>(inputs, depth, packed + column * depth, bias ? bias + column : nullptr, add, c + column,
                         columns);
  if (column < columns)
    multiply_block<R, 1>(inputs, depth, packed + column * depth, bias ? bias + column : nullptr, add, c + column,
                         columns);
}

}  // namespace

bool runs_here() {
#if defined(__linux__) && defined(SYS_arch_prctl)
  unsigned eax, ebx, ecx, edx;
  constexpr unsigned kBfloat16 = 1u << 22, kTiles = 1u << 24;
  if (!__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) || ~edx & (kBfloat16 | kTiles)) return false;
  constexpr int kRequestPermission = 0x1023, kTileData = 18;  // ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA
  return syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
#else
  return false;
#endif
}

void multiply(const float* a, size_t rows, size_t depth, const uint16_t* packed, size_t columns, const float* bias,
              bool add, float* c) {
  if (depth % kStep == 0 && depth <= kMostInputs && !(add && bias)) {
    static constexpr Configuration configuration;
    _tile_loadconfig(&configuration);
    for (; rows >= 2 * kSide; rows -= 2 * kSide, a += 2 * kSide * depth, c += 2 * kSide * columns)
      multiply_rows<2>(a, depth, packed, columns, bias, add, c);
    if (rows >= kSide) {
      multiply_rows<1>(a, depth, packed, columns, bias, add, c);
      rows -= kSide, a += kSide * depth, c += kSide * columns;
    }
    _tile_release();
    settle();
  }
  bfloat16::multiply(a, rows, depth, packed, columns, bias, add, c);
}

}  // namespace amx
}  // namespace liftq
#endif
