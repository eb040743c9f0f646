#include "plimsoll/nn/preprocessing/encode_indices.h"

#include <numeric>

#include "plimsoll/base/error.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/movement/movement.h"
#include "plimsoll/ops/text/text.h"

namespace plimsoll {
namespace {

Tensor one_hot_indices(const Tensor& indices, int64_t depth) {
  const bool is_column = indices.rank() > 1 && indices.shape().back() == 1;
  return one_hot(is_column ? squeeze(indices, -1) : indices, depth);
}

// Axis 1 goes to the end, where indices are counted.
Tensor with_samples_last(const Tensor& indices) {
  if (indices.rank() < 3) return indices;
  std::vector<int> axes(static_cast<size_t>(indices.rank()));
  std::iota(axes.begin(), axes.end(), 0);
  std::rotate(axes.begin() + 1, axes.begin() + 2, axes.end());
  return transpose(indices, axes);
}

}  // namespace

Tensor encode_indices(const Tensor& indices, const std::string& output_mode, int64_t depth) {
  if (output_mode == "int") return indices;
  if (output_mode == "one_hot") return one_hot_indices(indices, depth);
  if (indices.rank() < 2)
    throw InvalidArgument(
        "the output mode '" + output_mode +
        "' takes samples of several elements, (batch, elements); found the shape " +
        indices.shape().to_string());
  return count_indices(with_samples_last(indices), depth, output_mode == "multi_hot");
}

}  // namespace plimsoll
