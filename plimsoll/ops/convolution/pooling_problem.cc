#include "plimsoll/ops/convolution/pooling_problem.h"

#include "plimsoll/base/error.h"
#include "plimsoll/ops/convolution/padding.h"

namespace plimsoll {

kernels::PoolingProblem pooling_problem(const Shape& x, const PoolingOptions& options) {
  if (x.rank() != 4)
    throw InvalidArgument("x must be (batch, height, width, channels), found " + x.to_string());
  const auto& size = options.pool_size;
  const auto stride = [&](size_t i) {
    return options.strides[i] == 0 ? size[i] : options.strides[i];
  };
  return {window_axis("height", x[1], size[0], stride(0), 1, options.padding),
          window_axis("width", x[2], size[1], stride(1), 1, options.padding)};
}

Shape pooled_shape(const Shape& x, const kernels::PoolingProblem& problem) {
  return {x[0], problem.rows.output, problem.columns.output, x[3]};
}

Shape unpooled_shape(const Shape& dy, std::array<int64_t, 2> input_size,
                     const PoolingOptions& options) {
  if (dy.rank() != 4)
    throw InvalidArgument("dy must be (batch, height, width, channels), found " + dy.to_string());
  const Shape x = {dy[0], input_size[0], input_size[1], dy[3]};
  const Shape expected = pooled_shape(x, pooling_problem(x, options));
  if (dy != expected)
    throw InvalidArgument("dy must be of shape " + expected.to_string() + ", found " +
                          dy.to_string());
  return x;
}

void describe(Attributes& to, const PoolingOptions& options) {
  const auto& [pool_size, strides, padding] = options;
  to.with("pool_size", pool_size).with("strides", strides).with("padding", padding);
}

}  // namespace plimsoll
