#include "plimsoll/ops/movement/part_of_value.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <random>
#include <vector>

#include "plimsoll/engine/step_cache.h"
#include "plimsoll/graph/gradient.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/ops/ops.h"

namespace plimsoll {
namespace {

using testing::Each;
using testing::ElementsAre;

Tensor counted(const Shape& shape) {
  std::vector<float> values(static_cast<size_t>(shape.elements()));
  std::iota(values.begin(), values.end(), 0.0f);
  return constant(values, shape);
}

TEST(PartOfValue, ARowSharesTheBytes) {
  const Tensor x = counted({5, 3});
  const Tensor part = slice(x, {2, 0}, {2, 3});
  EXPECT_TRUE(part.value().node->has_value());
  EXPECT_EQ(part.data(), x.data() + 2 * 12);
  EXPECT_THAT(part.to_vector(), ElementsAre(6, 7, 8, 9, 10, 11));
  EXPECT_EQ(reshape(part, {6}).data(), part.data());
}

TEST(PartOfValue, LivesLongerThanTheTensorItIsOf) {
  Tensor x = counted({5, 3});
  const Tensor part = slice(slice(x, {1, 0}, {3, 3}), {1, 1}, {1, 2});
  x = {};
  EXPECT_THAT(part.to_vector(), ElementsAre(7, 8));
}

TEST(PartOfValue, AColumnIsACopyUnlessItIsLarge) {
  const Tensor x = counted({5, 3});
  EXPECT_THAT(slice(x, {0, 1}, {5, 1}).to_vector(), ElementsAre(1, 4, 7, 10, 13));
  const Tensor large = counted({1000, 300});
  const Tensor columns = slice(large, {0, 1}, {1000, 299});
  EXPECT_FALSE(columns.value().node->has_value());
  EXPECT_EQ(columns.to_vector()[299], 301);
}

// Random slices of a value against those that a step computes.
TEST(PartOfValue, EqualsWhatAStepComputes) {
  std::mt19937 random(1);
  const auto draw = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  for (int round = 0; round < 200; ++round) {
    Shape shape;
    std::vector<int64_t> begin, size, step;
    for (int64_t axis = draw(0, 4); axis > 0; --axis) {
      shape.push_back(draw(1, 5));
      step.push_back(draw(0, 2) > 0 ? 1 : std::vector<int64_t>{-2, -1, 2}[draw(0, 2)]);
      begin.push_back(draw(0, shape.back() - 1));
      const int64_t left = step.back() > 0 ? shape.back() - begin.back() : begin.back() + 1;
      size.push_back(draw(0, (left - 1) / std::abs(step.back()) + 1));
    }
    const Tensor x = counted(shape);
    const Tensor found = strided_slice(x, begin, size, step);
    ASSERT_TRUE(found.value().node->has_value());
    const Tensor computed = strided_slice(x + 0, begin, size, step);
    ASSERT_FALSE(computed.value().node->has_value());
    ASSERT_EQ(found.shape(), computed.shape());
    ASSERT_EQ(found.to_vector(), computed.to_vector()) << shape.to_string();
  }
}

// What a loop over the samples of x compiles: each step reads one, under a tape.
int64_t compiled_by_loop(const Tensor& x, bool inside_tape) {
  Variable w("w", {DType::float32, {4}});
  const Variable sources[] = {w};
  const int64_t before = step_cache_counts().compiled;
  for (int64_t i = 0; i < x.shape()[0]; ++i) {
    Tensor sample;
    if (!inside_tape) sample = squeeze(slice(x, {i, 0}, {1, 4}), 0);
    const GradientTape tape;
    if (inside_tape) sample = squeeze(slice(x, {i, 0}, {1, 4}), 0);
    const Tensor loss = sum(square(w - sample));
    tape.stop();
    w.assign(w - tape.gradient(loss, sources)[0] * 0.5);
    loss.item();
  }
  EXPECT_THAT(w.value().to_vector(), ElementsAre(396, 397, 398, 399));
  return step_cache_counts().compiled - before;
}

TEST(PartOfValue, ALoopOverTheIndexCompilesOneStep) {
  clear_step_cache();
  EXPECT_EQ(compiled_by_loop(counted({100, 4}), false), 1);
  clear_step_cache();
  EXPECT_EQ(compiled_by_loop(counted({100, 4}), true), 1);
}

// The first step computes x on the way. The second finds that it does so again.
TEST(PartOfValue, AHeldTensorThatReadsNoVariableIsComputedOnce) {
  clear_step_cache();
  const Tensor x = counted({100, 4}) * 2 / 2;
  EXPECT_FALSE(x.value().node->has_value());
  EXPECT_LE(compiled_by_loop(x, false), 3);
  EXPECT_TRUE(x.value().node->has_value());
}

TEST(PartOfValue, GradientsFlowToWhatItIsAPartOf) {
  const Tensor x = counted({3, 2});
  const GradientTape tape;
  const Tensor part = slice(x, {1, 0}, {1, 2});
  EXPECT_TRUE(part.value().node->has_value());
  const Tensor loss = sum(square(reshape(part, {2})));
  tape.stop();
  loss.item();
  const Tensor sources[] = {x};
  EXPECT_THAT(tape.gradient(loss, sources)[0].to_vector(), ElementsAre(0, 0, 4, 6, 0, 0));
  EXPECT_EQ(part.value().node->op, nullptr) << "the history ends with the tape";
}

TEST(PartOfValue, GradientsFlowWithoutATapeToo) {
  const Tensor x = counted({2, 3});
  const Tensor column = slice(x, {0, 1}, {2, 1});
  EXPECT_TRUE(column.value().node->has_value());
  const Tensor sources[] = {x};
  EXPECT_THAT(gradients(sum(square(column)), sources)[0].to_vector(),
              ElementsAre(0, 2, 0, 0, 8, 0));
}

TEST(PartOfValue, OfAVariableIsComputedByAStep) {
  Variable w("w", {DType::float32, {3, 2}});
  const Tensor part = slice(w, {1, 0}, {1, 2});
  w.assign(w + 1);
  evaluate({});
  EXPECT_THAT(part.to_vector(), Each(0)) << "as the variable was";
}

}  // namespace
}  // namespace plimsoll
