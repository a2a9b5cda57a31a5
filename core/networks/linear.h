// Linear maps, their weights packed for the kernels.
#pragma once

#include <cstddef>
#include <vector>

#include "networks/kernels.h"

namespace liftq {

// Numbers in blocks that are padded separately: the arguments of an atom.
struct Axis {
  size_t blocks, width;

  size_t size() const { return blocks * width; }
  size_t padded_size() const { return blocks * padded(width); }
  size_t place(size_t index) const { return index / width * padded(width) + index % width; }
};

class Linear {
 public:
  // `weights` is [outputs, stride], of which the columns from `first` on are the inputs. `bias` may be null.
  Linear(const float* weights, size_t stride, size_t first, const float* bias, Axis outputs, Axis inputs);

  size_t depth() const { return depth_; }            // floats in a row of inputs
  size_t columns() const { return columns_; }        // floats in a row of outputs
  size_t size() const { return depth_ * columns_; }  // multiplications for one row
  const float* bias() const { return bias_.empty() ? nullptr : bias_.data(); }

  void apply(const float* inputs, size_t rows, float* outputs) const { multiply(inputs, rows, bias(), false, outputs); }
  void add(const float* inputs, size_t rows, float* outputs) const { multiply(inputs, rows, bias(), true, outputs); }
  // With another bias, of `columns` floats.
  void apply_from(const float* bias, const float* inputs, size_t rows, float* outputs) const {
    multiply(inputs, rows, bias, false, outputs);
  }

 private:
  void multiply(const float* inputs, size_t rows, const float* bias, bool add, float* outputs) const {
    kernels().multiply(inputs, rows, depth_, packed_.data(), columns_, bias, add, outputs);
  }

  size_t depth_, columns_;
  std::vector<float> packed_, bias_;
};

}  // namespace liftq
