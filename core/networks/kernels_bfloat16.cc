// Products with bfloat16 inputs and float32 sums (AVX-512 BF16): twice the arithmetic of float32 per instruction.
#include "networks/kernels.h"
#include "networks/kernels_list.h"

#ifdef LIFTQ_X86_KERNELS
#include <immintrin.h>

namespace liftq {
namespace bfloat16 {
namespace {

constexpr size_t kVec = 16;
constexpr size_t kRows = 12;    // of a product kept in registers
constexpr size_t kChunk = 512;  // inputs of a row that are rounded at a time: what is rounded stays in the first cache

using Pairs = uint32_t[kRows][kChunk / 2];  // two successive inputs each

inline void round_inputs(const float* a, size_t rows, size_t stride, size_t count, Pairs& pairs) {
  for (size_t r = 0; r < rows; ++r)
    for (size_t k = 0; k < count; k += kVec) {
      const __m256bh rounded = _mm512_cvtneps_pbh(_mm512_loadu_ps(a + r * stride + k));
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(&pairs[r][k / 2]), (__m256i)rounded);
    }
}

template <size_t R, size_t V>
inline void multiply_block(const Pairs& pairs, size_t count, const uint16_t* panel, const float* bias, bool add,
                           float* c, size_t columns) {
  __m512 sum[R][V];  // every loop over it is unrolled: one that is not would move it to the stack
#pragma GCC unroll 2
  for (size_t v = 0; v < V; ++v) {
    const __m512 start = bias ? _mm512_loadu_ps(bias + v * kVec) : _mm512_setzero_ps();
#pragma GCC unroll 16
    for (size_t r = 0; r < R; ++r) sum[r][v] = start;
  }
  for (size_t pair = 0; pair < count / 2; ++pair) {
    __m512i weight[V];
#pragma GCC unroll 2
    for (size_t v = 0; v < V; ++v) weight[v] = _mm512_loadu_si512(panel + (pair * V + v) * 2 * kVec);
#pragma GCC unroll 16
    for (size_t r = 0; r < R; ++r) {
      const __m512i input = _mm512_set1_epi32(static_cast<int>(pairs[r][pair]));
#pragma GCC unroll 2
      for (size_t v = 0; v < V; ++v) sum[r][v] = _mm512_dpbf16_ps(sum[r][v], (__m512bh)weight[v], (__m512bh)input);
    }
  }
#pragma GCC unroll 16
  for (size_t r = 0; r < R; ++r)
#pragma GCC unroll 2
    for (size_t v = 0; v < V; ++v) {
      float* target = c + r * columns + v * kVec;
      _mm512_storeu_ps(target, add ? _mm512_add_ps(_mm512_loadu_ps(target), sum[r][v]) : sum[r][v]);
    }
}

template <size_t R>
inline void multiply_rows(const float* a, size_t depth, const uint16_t* packed, size_t columns, const float* bias,
                          bool add, float* c) {
  Pairs pairs;
  for (size_t first = 0; first < depth; first += kChunk, bias = nullptr, add = true) {
    const size_t count = depth - first < kChunk ? depth - first : kChunk;
    round_inputs(a + first, R, depth, count, pairs);
    size_t column = 0;
    for (; column + kBfloat16Panel <= columns; column += kBfloat16Panel)
      multiply_block<R, 2>(pairs, count, packed + column * depth + first * kBfloat16Panel,
                           bias ? bias + column : nullptr, add, c + column, columns);
    if (column < columns)
      multiply_block<R, 1>(pairs, count, packed + column * depth + first * kVec, bias ? bias + column : nullptr, add,
                           c + column, columns);
  }
}

template <size_t R>
inline void multiply_rest(size_t rows, const float* a, size_t depth, const uint16_t* packed, size_t columns,
                          const float* bias, bool add, float* c) {
  if constexpr (R > 0) {
    if (rows == R)
      multiply_rows<R>(a, depth, packed, columns, bias, add, c);
    else
      multiply_rest<R - 1>(rows, a, depth, packed, columns, bias, add, c);
  }
}

}  // namespace

void multiply(const float* a, size_t rows, size_t depth, const uint16_t* packed, size_t columns, const float* bias,
              bool add, float* c) {
  for (; rows >= kRows; rows -= kRows, a += kRows * depth, c += kRows * columns)
    multiply_rows<kRows>(a, depth, packed, columns, bias, add, c);
  multiply_rest<kRows - 1>(rows, a, depth, packed, columns, bias, add, c);
}

}  // namespace bfloat16
}  // namespace liftq
#endif
