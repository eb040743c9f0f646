// Ways to NaN in a layer of the program's own: the operation, the layer and the records are named.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "tests/support/nan_case.h"

namespace plimsoll {
namespace {

using testing::NanCase;
using testing::NanData;
using testing::NanFinding;
using testing::own_layer;

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

// The function as a layer 'bad'.
std::function<Tensor(const Tensor&)> in_bad(const std::function<Tensor(const Tensor&)>& function) {
  return [=](const Tensor& x) { return own_layer("bad", function)(x); };
}

// One number of record 5, or all of them.
std::function<void(NanData&)> one_number(float value, int64_t record = 5) {
  return [=](NanData& data) { data.x[static_cast<size_t>(record * 4 + 2)] = value; };
}
std::function<void(NanData&)> one_record(float value, int64_t record = 5) {
  return [=](NanData& data) { data.set_record(record, value); };
}

NanFinding forward(const std::string& op, const std::string& record = "5") {
  return {.op = op, .layer = "bad", .records = {record}};
}
NanFinding backward(const std::string& op, const std::string& of, const std::string& record = "5") {
  return {.op = op, .gradient_of = of, .layer = "bad", .records = {record}};
}
NanFinding for_every_record(const std::string& op) {
  return {.op = op, .layer = "bad", .is_every_record = true};
}

Tensor masked_mean(const Tensor& x) {
  const Tensor mask = cast(greater(x, 0), DType::float32);
  return sum(x * mask, {1}, true) / sum(mask, {1}, true);
}

Tensor deviation(const Tensor& x, int axis) {
  const Tensor off = x - mean(x, {axis}, true);
  return sqrt(mean(square(off), {axis}, true));
}

// The same without a gradient of its own, so that what divides by it is what fails.
Tensor fixed_deviation(const Tensor& x, int axis) {
  return stop_gradient(deviation(x, axis));
}

// NaN where the variance over the batch overflows.
Tensor share_of_variance(const Tensor& x) {
  const Tensor variance = mean(square(x - mean(x, {0}, true)), {0}, true);
  return x * (variance / (variance + 1));
}

// Attention over the columns, all of which are masked if they are negative.
Tensor masked_softmax(const Tensor& x) {
  return softmax(select(greater(x, 0), x, kMinusInfinity), -1);
}

std::vector<NanCase> elementwise_cases() {
  return {
      {"LogOfZero", in_bad([](const Tensor& x) { return log(x); }), one_number(0), forward("log")},
      {"LogOfANegativeNumber", in_bad([](const Tensor& x) { return log(x); }), one_number(-1),
       forward("log")},
      {"ZeroByZero", in_bad([](const Tensor& x) { return x / x; }), one_number(0),
       forward("divide")},
      {"OneByZero", in_bad([](const Tensor& x) { return 1 / x; }), one_number(0),
       forward("divide")},
      {"ReciprocalOfZero", in_bad([](const Tensor& x) { return reciprocal(x); }), one_number(0),
       forward("reciprocal")},
      {"ExpOverflows", in_bad([](const Tensor& x) { return exp(x); }), one_number(200),
       forward("exp")},
      {"Expm1Overflows", in_bad([](const Tensor& x) { return expm1(x); }), one_number(200),
       forward("expm1")},
      {"PowerOfANegativeNumber", in_bad([](const Tensor& x) { return power(x, 0.3); }),
       one_number(-2), forward("power")},
      {"ZeroToANegativePower", in_bad([](const Tensor& x) { return power(x, -1.5); }),
       one_number(0), forward("power")},
      {"RootOfANegativeNumber", in_bad([](const Tensor& x) { return sqrt(x); }), one_number(-1),
       forward("sqrt")},
      {"OneByTheRootOfZero", in_bad([](const Tensor& x) { return rsqrt(x); }), one_number(0),
       forward("rsqrt")},
      {"Log1pOfMinusOne", in_bad([](const Tensor& x) { return log1p(x); }), one_number(-1),
       forward("log1p")},
      {"SquareOverflows", in_bad([](const Tensor& x) { return square(x); }), one_number(1e25f),
       forward("square")},
      {"ProductOverflows", in_bad([](const Tensor& x) { return x * 1e20 * 1e-30; }),
       one_number(1e25f), forward("multiply")},
      {"LogOfASigmoid", in_bad([](const Tensor& x) { return log(1 - sigmoid(x)); }), one_number(50),
       forward("log")},
      {"LogOfASoftmax", in_bad([](const Tensor& x) { return log(softmax(x, -1)); }),
       one_number(500), forward("log")},
      {"LogOfASumOfExp", in_bad([](const Tensor& x) { return log(sum(exp(x), {1}, true)); }),
       one_number(100), forward("exp")},
  };
}

std::vector<NanCase> reduction_cases() {
  return {
      {"SumOverflows", in_bad([](const Tensor& x) { return sum(x, {1}, true); }), one_record(3e38f),
       forward("sum")},
      {"MeanOverflows", in_bad([](const Tensor& x) { return mean(x, {1}, true); }),
       one_record(3e38f), forward("mean")},
      {"ProdOverflows", in_bad([](const Tensor& x) { return prod(x, {1}, true); }),
       one_record(1e15f), forward("prod")},
      {"MaskWithoutAnything", in_bad(masked_mean), one_record(-1), forward("divide")},
      {"SoftmaxOfNothingButMasks", in_bad(masked_softmax), one_record(-1), forward("softmax")},
      {"ConstantRecordByItsDeviation",
       in_bad([](const Tensor& x) { return (x - mean(x, {1}, true)) / fixed_deviation(x, 1); }),
       one_record(2), forward("divide")},
      {"ConstantColumnByItsDeviation",
       in_bad([](const Tensor& x) { return (x - mean(x, {0}, true)) / fixed_deviation(x, 0); }),
       [](NanData& data) {
         for (size_t i = 1; i < data.x.size(); i += 4) data.x[i] = 3;
       },
       for_every_record("divide")},
      {"VarianceOfHugeNumbers", in_bad(share_of_variance), one_number(1e30f), forward("square")},
      {"TwoHugeNumbersInABatch",
       in_bad(share_of_variance),
       [](NanData& data) {
         data.x[6 * 4] = 1e30f;
         data.x[7 * 4 + 3] = -1e30f;
       },
       {.op = "square", .layer = "bad", .records = {"6", "7"}}},
      {"NormOverflows", in_bad([](const Tensor& x) { return x * sqrt(sum(square(x), {1}, true)); }),
       one_number(1e25f), forward("square")},
  };
}

std::vector<NanCase> gradient_cases() {
  return {
      {"GradientOfARootAtZero", in_bad([](const Tensor& x) { return sqrt(x); }), one_number(0),
       backward("divide", "sqrt")},
      {"GradientOfANormAtZero",
       in_bad([](const Tensor& x) { return sqrt(sum(square(x), {1}, true)); }), one_record(0),
       backward("divide", "sqrt")},
      {"GradientOfADeviationOfZero", in_bad([](const Tensor& x) { return deviation(x, 1); }),
       one_record(2), backward("divide", "sqrt")},
      {"GradientOfAPowerAtZero", in_bad([](const Tensor& x) { return power(x, 0.3); }),
       one_number(0), backward("power", "power")},
      {"GradientOfALogThatIsNotSelected",
       in_bad([](const Tensor& x) { return select(greater(x, 0), log(x), 0); }), one_number(0),
       forward("log")},
      {"GradientOfAnExpThatIsNotSelected",
       in_bad([](const Tensor& x) { return select(less(x, 80), exp(x), 0); }), one_number(200),
       forward("exp")},
      {"GradientOverflows",
       in_bad([](const Tensor& x) { return x * 1e20 * 1e20; }),
       [](NanData& data) { data.x.assign(data.x.size(), 2e-38f); },
       {.op = "multiply", .gradient_of = "multiply", .layer = "bad", .is_every_record = true}},
  };
}

std::vector<NanCase> place_cases() {
  const auto logarithm = in_bad([](const Tensor& x) { return log(x); });
  return {
      {"InTheSecondBatch", logarithm, one_number(0, 13), forward("log", "13")},
      {"InTheLastSmallBatch", logarithm, one_number(0, 18), forward("log", "18")},
      {.name = "InAPartOfABatch",
       .middle = logarithm,
       .spoil = one_number(0, 13),
       .expected = forward("log", "13"),
       .micro_batch = 2},
      {"InThreeRecords",
       logarithm,
       [](NanData& data) { data.x[8] = data.x[12] = data.x[28] = 0; },
       {.op = "log", .layer = "bad", .records = {"2", "3", "7"}}},
      {"InTheSecondLayer",
       [](const Tensor& x) {
         return own_layer("second", [](const Tensor& y) { return log(y); })(
             own_layer("first", [](const Tensor& y) { return y - 1; })(x));
       },
       [](NanData& data) {
         for (float& number : data.x) number += 2;
         data.x[5 * 4] = 1;
       },
       {.op = "log", .layer = "second", .records = {"5"}}},
  };
}

class NanInOwnLayer : public ::testing::TestWithParam<NanCase> {};

TEST_P(NanInOwnLayer, IsNamed) {
  EXPECT_EQ(testing::train_until_bad(GetParam()), GetParam().expected);
}

std::string name_of(const ::testing::TestParamInfo<NanCase>& info) {
  return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(Elementwise, NanInOwnLayer, ::testing::ValuesIn(elementwise_cases()),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Reduction, NanInOwnLayer, ::testing::ValuesIn(reduction_cases()), name_of);
INSTANTIATE_TEST_SUITE_P(Gradient, NanInOwnLayer, ::testing::ValuesIn(gradient_cases()), name_of);
INSTANTIATE_TEST_SUITE_P(Place, NanInOwnLayer, ::testing::ValuesIn(place_cases()), name_of);

}  // namespace
}  // namespace plimsoll
