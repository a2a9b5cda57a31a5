// The inner loops, for one instruction set: included once for each, inside a namespace of its own, with kVec floats in
// a vector and kRows rows of a product kept in registers. It must not include anything nor call the standard library:
// an inline function compiled here for a newer machine could be linked into code for an older one.

constexpr size_t kPanel = 2 * kVec;
constexpr float kLog2E = 1.44269504f;
constexpr float kLowest = -125.0f;  // 2 to this is still a normal number
constexpr int kSign = static_cast<int>(0x80000000u);

inline Vec load(const float* source) { return *reinterpret_cast<const Vec*>(source); }
inline void store(float* target, Vec value) { *reinterpret_cast<Vec*>(target) = value; }

// 2^x for -125 <= x <= 126: x = n + r with |r| <= 1/2, a polynomial for 2^r, and n added to its exponent; relative
// error below 3e-7.
inline Vec power_of_two(Vec x) {
  const Vec magic = Vec{} + 12582912.0f;  // adding 1.5 * 2^23 rounds to an integer in the lowest bits
  const Vec shifted = x + magic;
  const Vec r = x - (shifted - magic);
  Vec p = Vec{} + 1.326472639e-3f;
  p = p * r + 9.671512697e-3f;
  p = p * r + 5.550733746e-2f;
  p = p * r + 2.402224208e-1f;
  p = p * r + 6.931469776e-1f;
  p = p * r + 1.0f;
  return reinterpret_cast<Vec>(reinterpret_cast<IntVec>(p) + (reinterpret_cast<IntVec>(shifted) << 23));
}

// For x >= 1: m in [sqrt(1/2), sqrt(2)) and n with x = m 2^n, then a polynomial in m - 1 (Cephes).
inline Vec logarithm(Vec x) {
  const IntVec bits = reinterpret_cast<IntVec>(x) - 0x3F3504F3;  // sqrt(1/2)
  const Vec n = __builtin_convertvector(bits >> 23, Vec);
  const Vec m = reinterpret_cast<Vec>((bits & 0x007FFFFF) + 0x3F3504F3);
  const Vec f = m - 1.0f;
  Vec p = Vec{} + 7.0376836292e-2f;
  p = p * f - 1.1514610310e-1f;
  p = p * f + 1.1676998740e-1f;
  p = p * f - 1.2420140846e-1f;
  p = p * f + 1.4249322787e-1f;
  p = p * f - 1.6668057665e-1f;
  p = p * f + 2.0000714765e-1f;
  p = p * f - 2.4999993993e-1f;
  p = p * f + 3.3333331174e-1f;
  const Vec square = f * f;
  return (p * f * square - n * 2.12194440e-4f) - square * 0.5f + f + n * 0.693359375f;
}

// R rows of the product with one panel of V vectors, kept in registers.
template <size_t R, size_t V>
inline void multiply_block(const float* a, size_t depth, const float* panel, const float* bias, bool add, float* c,
                           size_t columns) {
  Vec sum[R][V];  // every loop over it is unrolled: one that is not would move it to the stack
#pragma GCC unroll 2
  for (size_t v = 0; v < V; ++v) {
    const Vec start = bias ? load(bias + v * kVec) : Vec{};
#pragma GCC unroll 16
    for (size_t r = 0; r < R; ++r) sum[r][v] = start;
  }
  for (size_t k = 0; k < depth; ++k) {
    Vec weight[V];
#pragma GCC unroll 2
    for (size_t v = 0; v < V; ++v) weight[v] = load(panel + k * V * kVec + v * kVec);
#pragma GCC unroll 16
    for (size_t r = 0; r < R; ++r)
#pragma GCC unroll 2
      for (size_t v = 0; v < V; ++v) sum[r][v] += weight[v] * a[r * depth + k];
  }
#pragma GCC unroll 16
  for (size_t r = 0; r < R; ++r)
#pragma GCC unroll 2
    for (size_t v = 0; v < V; ++v) {
      float* target = c + r * columns + v * kVec;
      store(target, add ? load(target) + sum[r][v] : sum[r][v]);
    }
}

template <size_t R, size_t V>
inline void multiply_rest(size_t rows, const float* a, size_t depth, const float* panel, const float* bias, bool add,
                          float* c, size_t columns) {
  if constexpr (R > 0) {
    if (rows == R)
      multiply_block<R, V>(a, depth, panel, bias, add, c, columns);
    else
      multiply_rest<R - 1, V>(rows, a, depth, panel, bias, add, c, columns);
  }
}

template <size_t V>
inline void multiply_panel(const float* a, size_t rows, size_t depth, const float* panel, const float* bias, bool add,
                           float* c, size_t columns) {
  for (; rows >= kRows; rows -= kRows, a += kRows * depth, c += kRows * columns)
    multiply_block<kRows, V>(a, depth, panel, bias, add, c, columns);
  multiply_rest<kRows - 1, V>(rows, a, depth, panel, bias, add, c, columns);
}

void multiply(const float* a, size_t rows, size_t depth, const float* packed, size_t columns, const float* bias,
              bool add, float* c) {
  size_t column = 0;
  for (; column + kPanel <= columns; column += kPanel)
    multiply_panel<2>(a, rows, depth, packed + column * depth, bias ? bias + column : nullptr, add, c + column,
                      columns);
  if (column < columns)
    multiply_panel<1>(a, rows, depth, packed + column * depth, bias ? bias + column : nullptr, add, c + column,
                      columns);
}

// x tanh(log(1 + e^x)) = x n / (n + 2) with n = e^x (e^x + 2); beyond 30 the quotient is 1.
inline Vec mish_of(Vec x) {
  const Vec e = power_of_two(larger(smaller(x, Vec{} + 30.0f) * kLog2E, Vec{} + kLowest));
  const Vec n = e * (e + 2.0f);
  return x * n * reciprocal(n + 2.0f);
}

void mish(float* values, size_t count) {
  for (size_t i = 0; i < count; i += kVec) store(values + i, mish_of(load(values + i)));
}

__attribute__((always_inline)) inline void mish_of_rows(const float* const* sources, size_t num_sources, bool add,
                                                        size_t rows, float* values, size_t count) {
  for (size_t row = 0; row < rows; ++row, sources += num_sources, values += count)
    for (size_t i = 0; i < count; i += kVec) {
      Vec sum = add ? load(values + i) : Vec{};
      for (size_t source = 0; source < num_sources; ++source) sum += load(sources[source] + i);
      store(values + i, mish_of(sum));
    }
}

void mish_of_sum(const float* const* sources, size_t num_sources, bool add, size_t rows, float* values, size_t count) {
  // For a constant number of sources the compiler unrolls the innermost loop; there are seldom more than two.
  if (num_sources == 1) return mish_of_rows(sources, 1, add, rows, values, count);
  if (num_sources == 2) return mish_of_rows(sources, 2, add, rows, values, count);
  mish_of_rows(sources, num_sources, add, rows, values, count);
}

void copy(const float* source, float* target, size_t count) {
  for (size_t i = 0; i < count; i += kVec) store(target + i, load(source + i));
}

void add(const float* values, float* total, size_t count) {
  for (size_t i = 0; i < count; i += kVec) store(total + i, load(total + i) + load(values + i));
}

void take_maximum(const float* values, float* largest, size_t count) {
  for (size_t i = 0; i < count; i += kVec) store(largest + i, larger(load(values + i), load(largest + i)));
}

void receive(const float* messages, const int* nodes, const float* counts, size_t count, size_t width, float alpha,
             float* running) {
  const float scale = alpha * kLog2E;
  for (size_t i = 0; i < count; ++i) {
    float* largest = running + static_cast<size_t>(nodes[i]) * 2 * width;
    float* total = largest + width;
    for (size_t d = 0; d < width; d += kVec) {
      const Vec message = load(messages + i * width + d), before = load(largest + d), sum = load(total + d);
      const Vec gap = message - before;
      const Vec lower = reinterpret_cast<Vec>(reinterpret_cast<IntVec>(gap) | kSign);  // -|gap|
      const Vec term = power_of_two(larger(lower * scale, Vec{} + kLowest));
      store(largest + d, larger(message, before));
      store(total + d, gap > 0.0f ? sum * term + counts[i] : sum + term * counts[i]);
    }
  }
}

void smooth_maximum(const float* running, size_t width, float alpha, float* result) {
  for (size_t d = 0; d < width; d += kVec) {
    const Vec largest = load(running + d), total = load(running + width + d);
    const Vec smooth = largest + logarithm(larger(total, Vec{} + 1.0f)) * (1.0f / alpha);
    store(result + d, total > 0.0f ? smooth : Vec{});
  }
}
