#include "plimsoll/ops/movement/strided_slice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/gradient.h"
#include "plimsoll/graph/node.h"
#include "tests/support/op_check.h"

namespace plimsoll {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;
using Numbers = std::vector<int64_t>;

struct SliceCase {
  Shape shape;
  Numbers begin, size, step;
};

const SliceCase kCases[] = {
    {{7}, {1}, {-1}, {2}},
    {{7}, {-1}, {-1}, {-1}},
    {{7}, {-2}, {2}, {-3}},
    {{4, 6}, {0, 5}, {-1, -1}, {1, -2}},
    {{4, 6}, {3, 0}, {-1, 3}, {-3, 2}},
    {{3, 5, 3}, {0, 0, -1}, {-1, -1, -1}, {1, 1, -1}},
    {{2, 40, 33}, {0, 1, 0}, {-1, -1, -1}, {1, 3, 1}},
    {{2, 3, 4}, {0, 3, 0}, {-1, 0, -1}, {1, 1, 1}},
    {{0, 3}, {0, 0}, {-1, -1}, {1, 2}},
};

TEST(StridedSlice, TakesEveryStepThElement) {
  for (const DType dtype : {DType::float32, DType::int64, DType::boolean})
    for (const auto& [shape, begin, size, step] : kCases) {
      const Specs in = {{dtype, shape}};
      const OpPtr op =
          testing::recorded_op([&, b = begin, n = size, s = step](
                                   const Tensors& x) { return strided_slice(x[0], b, n, s); },
                               in);
      testing::check_op({.title = shape.to_string(),
                         .op = op,
                         .inputs = in,
                         .check_gradient = dtype == DType::float32});
    }
}

TEST(StridedSlice, GradientPutsElementsBack) {
  for (const auto& [shape, begin, size, step] : kCases) {
    const Tensor x = placeholder({{}, shape});
    const Tensor y = strided_slice(x, begin, size, step);
    const Tensor dx = gradients(y, std::span(&x, 1))[0];
    testing::check_op(
        {.title = shape.to_string(), .op = dx.value().node->op, .inputs = {{{}, y.shape()}}});
  }
}

TEST(StridedSlice, FlipsAxes) {
  const std::vector<float> values = {1, 2, 3, 4, 5, 6};
  const Tensor x = constant(values, {2, 3});
  EXPECT_EQ(flip(x, {1}).to_vector(), (std::vector<float>{3, 2, 1, 6, 5, 4}));
  EXPECT_EQ(flip(x, {0, -1}).to_vector(), (std::vector<float>{6, 5, 4, 3, 2, 1}));
}

TEST(StridedSlice, RefusesWhatIsNotThere) {
  const Tensor x = placeholder({{}, {4}});
  EXPECT_THAT([&] { strided_slice(x, {1}, {3}, {2}); },
              ThrowsMessage<InvalidArgument>(HasSubstr("does not hold 3 elements from 1")));
  EXPECT_THROW(strided_slice(x, {5}, {1}, {1}), InvalidArgument);
  EXPECT_THROW(strided_slice(x, {0}, {-1}, {0}), InvalidArgument);
  EXPECT_THROW(strided_slice(x, {0, 0}, {1, 1}, {1, 1}), InvalidArgument);
}

}  // namespace
}  // namespace plimsoll
