#include "plimsoll/nn/operations/operation_layers.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "plimsoll/nn/attention/attention_masks.h"
#include "plimsoll/ops/attention/attention.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/images/resize.h"
#include "plimsoll/ops/movement/movement.h"
#include "plimsoll/ops/normalization/layer_normalize.h"
#include "plimsoll/ops/reduction/reduction.h"

namespace plimsoll {
namespace {

constexpr double kEpsilon = 1e-7;  // Keras's, where none is given

// How many trailing axes the setting names; other axes are refused.
int trailing_axes(OperationCall& call, int rank) {
  std::vector<int> axes = {-1};
  call.settings().with("axis", axes);
  for (int& axis : axes) axis = normalize_axis(axis, rank, "axis");
  std::ranges::sort(axes);
  const int count = static_cast<int>(axes.size());
  for (int i = 0; i < count; ++i)
    if (axes[static_cast<size_t>(i)] != rank - count + i)
      call.settings().refuse(
          "axis must name the last axes of its input; use a LayerNormalization "
          "for others");
  return count;
}

Tensor normalized(OperationCall& call, bool centered) {
  double epsilon = kEpsilon;
  call.settings().with("epsilon", epsilon);
  if (centered) call.settings().only("rms_scaling", false);
  const Tensor x = call.float_tensor(0);
  const int axes = trailing_axes(call, x.rank());
  const auto row = [&](int i) {
    if (i >= call.argument_count() || !call.has(i)) return Tensor();
    return reshape(call.float_tensor(i), Shape(x.shape().dims().last(static_cast<size_t>(axes))));
  };
  return layer_normalize(x, row(1), row(2),
                         {.epsilon = epsilon, .centered = centered, .axes = axes});
}

int64_t block_size(OperationCall& call, const Tensor& x) {
  int64_t block = 0;
  call.settings().with("block_size", block).only("data_format", "channels_last");
  if (x.rank() != 4 || block < 1)
    call.settings().refuse(
        "expected images (batch, height, width, channels) and a block_size of "
        "at least 1, found " +
        x.shape().to_string());
  return block;
}

}  // namespace

// Elements 1, 2, 4, … places back are added in turn.
Tensors run_cumsum(OperationCall& call) {
  std::optional<int64_t> along;
  call.settings().with("axis", along).only_null("dtype");
  Tensor x = call.tensor(0);
  if (x.dtype() == DType::boolean || x.dtype() == DType::uint8) x = cast(x, DType::int32);
  if (!along) x = reshape(x, {-1});
  const int axis = normalize_axis(static_cast<int>(along.value_or(0)), x.rank(), "cumsum");
  const auto at = static_cast<size_t>(axis);
  const int64_t size = x.shape()[axis];
  for (int64_t back = 1; back < size; back *= 2) {
    std::vector<int64_t> begin(static_cast<size_t>(x.rank()), 0), count(begin.size(), -1);
    std::vector<std::pair<int64_t, int64_t>> paddings(begin.size());
    count[at] = size - back;
    paddings[at].first = back;
    x = x + pad(slice(x, begin, count), paddings);
  }
  return {x};
}

Tensors run_layer_norm(OperationCall& call) {
  return {normalized(call, true)};
}

Tensors run_rms_norm(OperationCall& call) {
  return {normalized(call, false)};
}

Tensors run_resize(OperationCall& call) {
  std::vector<int64_t> size;
  std::string interpolation = "bilinear";
  bool antialias = false;
  call.settings()
      .with("size", size)
      .with("interpolation", interpolation)
      .with("antialias", antialias)
      .only("crop_to_aspect_ratio", false)
      .only("pad_to_aspect_ratio", false)
      .ignored("fill_mode")
      .ignored("fill_value")
      .only("data_format", "channels_last");
  const Tensor x = call.float_tensor(0);
  if (size.size() != 2 || (x.rank() != 3 && x.rank() != 4))
    call.settings().refuse(
        "expected images (batch, height, width, channels) and a size of two "
        "numbers, found " +
        x.shape().to_string());
  const Tensor images = x.rank() == 4 ? x : expand_dims(x, 0);
  const Tensor y = resize(images, {size[0], size[1]}, interpolation_of(interpolation), antialias);
  return {x.rank() == 4 ? y : squeeze(y, 0)};
}

Tensors run_moments(OperationCall& call) {
  std::vector<int> axes;
  bool keepdims = false;
  call.settings().with("axes", axes).with("keepdims", keepdims).only("synchronized", false);
  const Tensor x = call.float_tensor(0), centre = mean(x, axes, true);
  return {keepdims ? centre : mean(x, axes), mean(square(x - centre), axes, keepdims)};
}

Tensors run_dot_product_attention(OperationCall& call) {
  bool causal = false;
  call.settings().with("is_causal", causal).ignored("flash_attention");
  call.settings().only_null("attn_logits_soft_cap");
  if (call.has(3)) call.settings().refuse("a bias of the scores is not supported");
  const Tensor q = call.float_tensor(0), k = call.float_tensor(1), v = call.float_tensor(2);
  const double depth = static_cast<double>(q.shape().back());
  Tensor mask;
  if (call.has(4)) mask = with_heads(as_mask(call.tensor(4)));
  return {
      attention(q, k, v, mask,
                {.scale = call.has(5) ? call.number(5) : 1 / std::sqrt(depth), .causal = causal})};
}

Tensors run_depth_to_space(OperationCall& call) {
  const Tensor x = call.tensor(0);
  const int64_t block = block_size(call, x);
  const Shape& s = x.shape();
  const int64_t channels = s[3] / (block * block);
  const Tensor apart = reshape(x, {s[0], s[1], s[2], block, block, channels});
  return {
      reshape(transpose(apart, {0, 1, 3, 2, 4, 5}), {s[0], s[1] * block, s[2] * block, channels})};
}

Tensors run_space_to_depth(OperationCall& call) {
  const Tensor x = call.tensor(0);
  const int64_t block = block_size(call, x);
  const Shape& s = x.shape();
  const Tensor apart = reshape(x, {s[0], s[1] / block, block, s[2] / block, block, s[3]});
  return {reshape(transpose(apart, {0, 1, 3, 2, 4, 5}),
                  {s[0], s[1] / block, s[2] / block, block * block * s[3]})};
}

}  // namespace plimsoll
