#include "networks/linear.h"

#include <algorithm>

namespace liftq {

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

}  // namespace liftq
