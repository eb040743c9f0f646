#include "plimsoll/nn/layers/alpha_dropout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "plimsoll/base/error.h"
#include "plimsoll/nn/clock.h"

namespace plimsoll {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr int64_t kRows = 400, kColumns = 100;

// Of mean 0 and variance 1.
Tensor numbers() {
  std::vector<float> values;
  for (int64_t i = 0; i < kRows * kColumns; ++i)
    values.push_back(
        static_cast<float>(std::sqrt(3.0) * (static_cast<double>(i % 100) / 49.5 - 1)));
  return constant(values, {kRows, kColumns});
}

TEST(AlphaDropout, KeepsMeanAndVariance) {
  set_random_seed(1);
  const AlphaDropout layer({.rate = 0.3});
  const std::vector<float> y = layer(numbers(), {.training = true}).to_vector();
  double sum = 0, squares = 0;
  for (const float value : y) {
    sum += value;
    squares += static_cast<double>(value) * value;
  }
  const double mean = sum / static_cast<double>(y.size());
  EXPECT_NEAR(mean, 0, 0.03);
  EXPECT_NEAR(squares / static_cast<double>(y.size()) - mean * mean, 1, 0.03);
}

TEST(AlphaDropout, DoesNothingOutsideTraining) {
  EXPECT_EQ(AlphaDropout({.rate = 0.3})(numbers()).to_vector(), numbers().to_vector());
}

TEST(AlphaDropout, RefusesWhatIsNoShare) {
  EXPECT_THAT([] { AlphaDropout({.rate = 1}); },
              ThrowsMessage<InvalidArgument>(HasSubstr("rate must be at least 0 and less than 1")));
}

}  // namespace
}  // namespace plimsoll
