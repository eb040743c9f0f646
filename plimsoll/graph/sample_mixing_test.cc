// Which operations keep the samples of a batch apart, as find_mixing sees it, against what their
// reference computes.
#include "plimsoll/graph/sample_mixing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/graph/node.h"
#include "plimsoll/ops/ops.h"

namespace plimsoll {
namespace {

constexpr int64_t kN = kProbeBatch;

Tensor batch(const Shape& rest = {}, DType dtype = DType::float32) {
  Shape shape{kN};
  for (const int64_t dim : rest) shape.push_back(dim);
  return placeholder({dtype, shape});
}

Tensor weight(const Shape& shape) {
  return placeholder({DType::float32, shape});
}

// The op that mixes, or "" where the sum over all of it is one over samples.
std::string mixing(const Tensor& x, BatchStatistics statistics = BatchStatistics::mix) {
  const Tensor total = sum(x.dtype() == DType::float32 ? x : cast(x, DType::float32));
  const auto found = find_mixing(std::span(&total, 1), statistics);
  return found ? found->op : "";
}

TEST(SampleMixing, IsNotWhereSamplesStayApart) {
  const Tensor x = batch({6}), image = batch({8, 8, 4}), words = batch({5}, DType::int32);
  EXPECT_EQ(mixing(relu(x) * 2 + weight({6})), "");
  EXPECT_EQ(mixing(matmul(x, weight({6, 3}))), "");
  EXPECT_EQ(mixing(softmax(x)), "");
  EXPECT_EQ(mixing(mean(image, {1, 2})), "");
  EXPECT_EQ(mixing(max(x, {1}, true)), "");
  EXPECT_EQ(mixing(conv2d(image, weight({3, 3, 4, 2}))), "");
  EXPECT_EQ(mixing(max_pool2d(image)), "");
  EXPECT_EQ(mixing(gather(weight({9, 4}), words)), "");
  EXPECT_EQ(mixing(one_hot(words, 9)), "");
  EXPECT_EQ(mixing(transpose(x, {1, 0})), "");
  EXPECT_EQ(mixing(reshape(image, {kN, 256})), "");
  EXPECT_EQ(mixing(reshape(image, {kN * 8, 32})), "");
  EXPECT_EQ(mixing(reshape(softmax(reshape(image, {kN * 64, 4})), {kN, 8, 8, 4})), "");
  EXPECT_EQ(mixing(concatenate({x, x}, 1)), "");
  EXPECT_EQ(mixing(slice(x, {0, 2}, {-1, 3})), "");
  EXPECT_EQ(mixing(batch_normalize(x, weight({6}), weight({6}), 1e-3).y, BatchStatistics::per_part),
            "");
}

TEST(SampleMixing, IsNamed) {
  const Tensor x = batch({6}), image = batch({8, 8, 4});
  EXPECT_EQ(mixing(softmax(x, 0)), "softmax");
  EXPECT_EQ(mixing(x - mean(x, {0})), "mean");
  EXPECT_EQ(mixing(max(x, {0})), "max");
  EXPECT_EQ(mixing(matmul(x, transpose(x, {1, 0}))), "matmul");
  EXPECT_EQ(mixing(matmul(transpose(x, {1, 0}), x)), "matmul");
}

TEST(SampleMixing, IsNamedWhereTheAxisIsCutTurnedOrJoined) {
  const Tensor x = batch({6});
  EXPECT_EQ(mixing(concatenate({x, x}, 0)), "concatenate");
  EXPECT_EQ(mixing(slice(x, {0, 0}, {kN - 1, 6})), "slice");
  EXPECT_EQ(mixing(flip(x, {0})), "strided_slice");
  EXPECT_EQ(mixing(reshape(transpose(x, {1, 0}), {kN, 6})), "reshape");
  EXPECT_EQ(mixing(gather(x, constant(std::vector<int32_t>{0, 1}, {2}))), "gather");
  EXPECT_EQ(mixing(batch_normalize(x, weight({6}), weight({6}), 1e-3).y), "batch_normalize");
}

TEST(SampleMixing, IsNamedWhereASumIsNotAllThatBecomesOfTheSamples) {
  const Tensor x = batch({6}), total = sum(x);
  const auto op_of = [](const Tensor& root) {
    const auto found = find_mixing(std::span(&root, 1), BatchStatistics::mix);
    return found ? found->op : "";
  };
  EXPECT_EQ(op_of(total * weight({}) + sum(square(x)) / weight({})), "");
  EXPECT_EQ(op_of(square(total)), "square");
  EXPECT_EQ(op_of(total * total), "multiply");
  EXPECT_EQ(op_of(total + 1), "add");
  EXPECT_EQ(op_of(weight({}) / total), "divide");
  EXPECT_EQ(op_of(mean(x)), "mean");
}

TEST(SampleMixing, LooksAtDataWithARowForEachSample) {
  std::vector<float> same(kN, 2), different(kN, 2);
  different[5] = 3;
  const Tensor x = batch({1});
  EXPECT_EQ(mixing(x * constant(same, {kN, 1})), "");
  EXPECT_EQ(mixing(x * constant(different, {kN, 1})), "a constant");
}

}  // namespace
}  // namespace plimsoll
