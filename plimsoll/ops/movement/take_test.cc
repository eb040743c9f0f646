#include "plimsoll/ops/movement/take.h"

#include <gtest/gtest.h>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/gradient.h"

namespace plimsoll {
namespace {

using Floats = std::vector<float>;

TEST(Take, ReplacesAnAxisByTheIndices) {
  const Tensor x = constant(Floats{1, 2, 3, 4, 5, 6}, {2, 3});
  EXPECT_EQ(take(x, std::vector<int64_t>{2, 0, -1}, 1).to_vector(), (Floats{3, 1, 3, 6, 4, 6}));
  EXPECT_EQ(take(x, std::vector<int64_t>{1}, 0).to_vector(), (Floats{4, 5, 6}));
  const Tensor indices = constant(std::vector<int32_t>{0, -1, 1, 1}, {2, 2});
  const Tensor y = take(x, indices, -1);
  EXPECT_EQ(y.shape(), (Shape{2, 2, 2}));
  EXPECT_EQ(y.to_vector(), (Floats{1, 3, 2, 2, 4, 6, 5, 5}));
}

TEST(Take, GradientCountsHowOftenAnElementWasTaken) {
  const Tensor x = constant(Floats{1, 2, 3, 4, 5, 6}, {2, 3});
  const Tensor y = take(x, std::vector<int64_t>{2, 0, -1}, 1);
  EXPECT_EQ(gradients(y, std::span(&x, 1))[0].to_vector(), (Floats{1, 0, 2, 1, 0, 2}));
}

TEST(Take, RefusesAnIndexOutside) {
  const Tensor x = constant(Floats{1, 2, 3, 4, 5, 6}, {2, 3});
  EXPECT_THROW(take(x, std::vector<int64_t>{3}, 1), InvalidArgument);
  EXPECT_THROW(take(x, std::vector<int64_t>{-4}, 1), InvalidArgument);
}

}  // namespace
}  // namespace plimsoll
