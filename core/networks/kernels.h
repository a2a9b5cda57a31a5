// The inner loops of the networks, compiled for several instruction sets; the best one that runs here is chosen once.
//
// Rows are padded with zeros to a multiple of kLanes floats, so that no loop has a ragged end.
#pragma once

#include <cstddef>

namespace liftq {

constexpr size_t kLanes = 16;  // floats in the widest vector of all instruction sets

constexpr size_t padded(size_t width) { return (width + kLanes - 1) / kLanes * kLanes; }

// A running smooth maximum of one node is two rows: the largest message so far, and the sum of exp(alpha * (message -
// largest)). One exponential per message serves both, since either the sum or the new term has the exponent 0.
struct Kernels {
  const char* name;
  size_t panel;  // columns that a packed matrix holds side by side

  // c[rows, columns] = start + a[rows, depth] * packed, with `start` the bias or, if `add`, c + bias.
  void (*multiply)(const float* a, size_t rows, size_t depth, const float* packed, size_t columns, const float* bias,
                   bool add, float* c);
  void (*copy)(const float* source, float* target, size_t count);
  void (*mish)(float* values, size_t count);
  // Each of the rows of `count` values = mish(sum of its sources and, if `add`, of what is there).
  void (*mish_of_sum)(const float* const* sources, size_t num_sources, bool add, size_t rows, float* values,
                      size_t count);
  void (*add)(const float* values, float* total, size_t count);
  void (*take_maximum)(const float* values, float* largest, size_t count);
  // Message i of `width` floats goes to running[nodes[i]], counts[i] times.
  void (*receive)(const float* messages, const int* nodes, const float* counts, size_t count, size_t width, float alpha,
                  float* running);
  // Of one node; 0 where no message arrived.
  void (*smooth_maximum)(const float* running, size_t width, float alpha, float* result);
};

// The widest version that this machine can run, or the one that the environment variable LIFTQ_KERNELS names.
const Kernels& kernels();

}  // namespace liftq
