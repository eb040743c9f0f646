#include "plimsoll/ops/random/random.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/ops/random/random_state.h"
#include "tests/support/op_check.h"

namespace plimsoll {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

const Spec kNumber = {DType::int64, {}};

RandomState state(const Tensors& in, size_t first = 0) {
  return {in[first], in[first + 1], 77, in.size() > first + 2 ? in[first + 2] : Tensor()};
}

// Seed, step and perhaps the first sample's position.
std::vector<std::vector<double>> numbers(size_t count) {
  std::vector<std::vector<double>> all = {{42}, {0x1p33 + 5}, {100}};
  all.resize(count);
  return all;
}

std::vector<Shape> shapes() {
  return {{}, {5}, {3, 2}, {0, 4}, {4, 0}, {7, 1000}, {2, 3, 4, 16}, {3, 5003}, {300, 3, 24}};
}

TEST(RandomUniform, DrawsWhatItsReferenceDraws) {
  for (const Shape& shape : shapes())
    for (const size_t count : {2u, 3u}) {
      const Specs inputs(count, kNumber);
      testing::check_op(
          {.title = shape.to_string(),
           .op = testing::recorded_op(
               [&](const Tensors& in) { return random_uniform(shape, -1, 3, state(in)); }, inputs),
           .inputs = inputs,
           .values = numbers(count),
           .check_gradient = false});
    }
}

TEST(RandomNormal, DrawsWhatItsReferenceDraws) {
  for (const Shape& shape : shapes()) {
    const Specs inputs(2, kNumber);
    testing::check_op(
        {.title = shape.to_string(),
         .op = testing::recorded_op(
             [&](const Tensors& in) { return random_normal(shape, 1, 2, state(in)); }, inputs),
         .inputs = inputs,
         .values = {{-3}, {5}},
         .check_gradient = false});
  }
}

TEST(Dropout, DropsWhatItsReferenceDropsInEveryLayout) {
  for (const Shape& shape : shapes())
    for (const size_t count : {2u, 3u}) {
      Specs inputs = {{DType::float32, shape}};
      inputs.insert(inputs.end(), count, kNumber);
      std::vector<std::vector<double>> values = numbers(count);
      values.insert(values.begin(), std::vector<double>());
      testing::check_op(
          {.title = "dropout",
           .op = testing::recorded_op(
               [](const Tensors& in) { return dropout(in[0], 0.3, state(in, 1)); }, inputs),
           .inputs = inputs,
           .values = values,
           .check_gradient = shape.elements() < 2000});
    }
}

OpPtr dropout_op(const Specs& inputs) {
  return testing::recorded_op([](const Tensors& in) { return dropout(in[0], 0.25, state(in, 1)); },
                              inputs);
}

TEST(Dropout, OfHalfABatchIsHalfOfTheDropout) {
  const Specs inputs = {{DType::float32, {6, 50}}, kNumber, kNumber, kNumber};
  Array x(inputs[0]), part({DType::float32, {2, 50}}), seed(kNumber), step(kNumber);
  std::fill(x.data.begin(), x.data.end(), 1);
  std::fill(part.data.begin(), part.data.end(), 1);
  Array first(kNumber);
  const Array whole = dropout_op(inputs)->reference(Arrays{x, seed, step, first})[0];
  first[0] = 4;
  const Array last = dropout_op(inputs)->reference(Arrays{part, seed, step, first})[0];
  EXPECT_TRUE(std::equal(last.data.begin(), last.data.end(), whole.data.begin() + 200));
}

TEST(Dropout, KeepsTheMean) {
  const Specs inputs = {{DType::float32, {100, 1000}}, kNumber, kNumber};
  Array x(inputs[0]), seed(kNumber), step(kNumber);
  std::fill(x.data.begin(), x.data.end(), 1);
  const Array y = dropout_op(inputs)->reference(Arrays{x, seed, step})[0];
  double sum = 0;
  for (const double value : y.data) sum += value;
  EXPECT_NEAR(sum / 1e5, 1, 0.01);
}

TEST(Dropout, OfRateZeroIsTheTensorItself) {
  const Tensor x = placeholder({DType::float32, {3}});
  const RandomState none = {scalar(1, DType::int64), scalar(1, DType::int64)};
  EXPECT_EQ(dropout(x, 0, none).value(), x.value());
  for (const double rate : {1.0, -0.1, std::nan("")})
    EXPECT_THAT([&] { dropout(x, rate, none); },
                ThrowsMessage<InvalidArgument>(HasSubstr("expected 0 <= rate < 1")));
  EXPECT_THAT(
      [&] {
        dropout(x, 0.5, {scalar(1), scalar(1, DType::int64)});
      },
      ThrowsMessage<InvalidArgument>(HasSubstr("int64 scalars, found float32 ()")));
}

TEST(RandomNormal, HasItsMeanAndDeviation) {
  const Specs inputs(2, kNumber);
  const OpPtr op = testing::recorded_op(
      [](const Tensors& in) {
        return random_normal({100, 1000}, 3, 2, state(in));
      },
      inputs);
  const Array y = op->reference(Arrays{Array(kNumber), Array(kNumber)})[0];
  double sum = 0, squares = 0;
  for (const double value : y.data) sum += value, squares += value * value;
  EXPECT_NEAR(sum / 1e5, 3, 0.03);
  EXPECT_NEAR(squares / 1e5 - sum / 1e5 * sum / 1e5, 4, 0.08);
}

TEST(RandomUniform, RefusesBoundsOutOfOrder) {
  const RandomState none = {scalar(1, DType::int64), scalar(1, DType::int64)};
  EXPECT_THAT([&] { random_uniform({3}, 1, 0, none); },
              ThrowsMessage<InvalidArgument>(HasSubstr("found 1 and 0")));
}

}  // namespace
}  // namespace plimsoll
