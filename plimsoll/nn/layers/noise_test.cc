#include "plimsoll/nn/layers/noise.h"

#include <gtest/gtest.h>

#include "plimsoll/nn/clock.h"

namespace plimsoll {
namespace {

TEST(StochasticDepth, DropsWholeSamplesAndScalesTheOthers) {
  const Tensor x = constant(std::vector<float>(400 * 6, 3.0f), {400, 2, 3});
  set_random_seed(1);
  const Layer layer = StochasticDepth({.drop_path_rate = 0.25});
  const std::vector<float> y = layer(x, {.training = true}).to_vector();
  int kept = 0;
  for (size_t i = 0; i < 400; ++i) {
    const float first = y[6 * i];
    EXPECT_TRUE(first == 0 || first == 4) << first;
    for (size_t j = 1; j < 6; ++j) EXPECT_EQ(y[6 * i + j], first);
    kept += first == 4;
  }
  EXPECT_GT(kept, 270);
  EXPECT_LT(kept, 330);
  EXPECT_EQ(layer(x).to_vector(), x.to_vector());
}

TEST(SpatialDropout3D, DropsWholeChannels) {
  const Tensor x = constant(std::vector<float>(50 * 24 * 4, 1.0f), {50, 2, 3, 4, 4});
  set_random_seed(2);
  const std::vector<float> y = SpatialDropout3D({.rate = 0.5})(x, {.training = true}).to_vector();
  int kept = 0;
  for (size_t i = 0; i < 50; ++i)
    for (size_t c = 0; c < 4; ++c) {
      const float first = y[i * 96 + c];
      EXPECT_TRUE(first == 0 || first == 2) << first;
      for (size_t p = 1; p < 24; ++p) EXPECT_EQ(y[i * 96 + p * 4 + c], first);
      kept += first == 2;
    }
  EXPECT_GT(kept, 60);
  EXPECT_LT(kept, 140);
}

}  // namespace
}  // namespace plimsoll
