#include "networks/linear.h"

#include <algorithm>
#include <bit>

namespace liftq {

namespace {

// To the nearest, and to the even one of two that are as near.
uint16_t to_bfloat16(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  return static_cast<uint16_t>((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

}  // namespace

Linear::Linear(const float* weights, size_t stride, size_t first, const float* bias, Axis outputs, Axis inputs)
    : depth_(inputs.padded_size()), columns_(outputs.padded_size()), packed_(depth_ * columns_, 0.0f) {
  const size_t panel = kernels().panel;
  for (size_t output = 0; output < outputs.size(); ++output) {
    const size_t column = outputs.place(output), start = column / panel * panel;
    const size_t width = std::min(panel, columns_ - start);
    for (size_t input = 0; input < inputs.size(); ++input)
      packed_[start * depth_ + inputs.place(input) * width + (column - start)] =
          weights[output * stride + first + input];
  }
  if (!bias) return;
  bias_.assign(columns_, 0.0f);
  for (size_t output = 0; output < outputs.size(); ++output) bias_[outputs.place(output)] = bias[output];
}

void Linear::narrow() {
  if (!multiply_bfloat16()) return;
  const size_t panel = kernels().panel;
  narrow_.resize(packed_.size());
  for (size_t start = 0; start < columns_; start += panel) {
    const size_t width = std::min(panel, columns_ - start);
    for (size_t input = 0; input < depth_; ++input)
      for (size_t column = 0; column < width; ++column)
        narrow_[start * depth_ + (input / 2 * width + column) * 2 + input % 2] =
            to_bfloat16(packed_[start * depth_ + input * width + column]);
  }
}

}  // namespace liftq
