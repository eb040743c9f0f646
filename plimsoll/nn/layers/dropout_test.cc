#include "plimsoll/nn/layers/dropout.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "plimsoll/graph/gradient.h"
#include "plimsoll/nn/clock.h"
#include "plimsoll/ops/reduction/reduction.h"

namespace plimsoll {
namespace {

constexpr int64_t kRows = 100, kColumns = 50;

class DropoutLayer : public ::testing::Test {
 protected:
  DropoutLayer() { set_random_seed(1); }
  std::vector<float> train(const Layer& layer) const {
    return layer(ones_, {.training = true}).to_vector();
  }
  const Tensor ones_ =
      constant(std::vector<float>(static_cast<size_t>(kRows * kColumns), 1.f), {kRows, kColumns});
};

TEST_F(DropoutLayer, DropsTheGivenShareAndScalesTheRest) {
  const std::vector<float> y = train(Dropout({.rate = 0.2}));
  const auto dropped = std::ranges::count(y, 0.f);
  EXPECT_EQ(dropped + std::ranges::count(y, 1.25f), std::ssize(y));
  EXPECT_NEAR(static_cast<double>(dropped) / static_cast<double>(y.size()), 0.2, 0.02);
}

TEST_F(DropoutLayer, DoesNothingOutsideTraining) {
  EXPECT_EQ(Dropout({.rate = 0.5})(ones_).to_vector(), ones_.to_vector());
  EXPECT_EQ(train(Dropout({.rate = 0})), ones_.to_vector());
  EXPECT_EQ(std::ranges::count(train(Dropout({.rate = 1})), 0.f), kRows * kColumns);
}

TEST_F(DropoutLayer, DrawsAnewForEachLayerCallAndStep) {
  const Dropout a({.rate = 0.5}), b({.rate = 0.5});
  const std::vector<float> first = train(a), second = train(a), other = train(b);
  EXPECT_NE(first, second);
  EXPECT_NE(first, other);
  training_clock().tick();
  const std::vector<float> next_step = train(a);
  EXPECT_NE(next_step, first);
  EXPECT_NE(next_step, second);
}

TEST_F(DropoutLayer, RepeatsItselfForTheSameSeedAndStep) {
  const Dropout layer({.rate = 0.5});
  training_clock().tick();
  const std::vector<float> before = train(layer);
  set_random_seed(1);
  training_clock().tick();
  EXPECT_EQ(train(layer), before);
  set_random_seed(2);
  training_clock().tick();
  EXPECT_NE(train(layer), before);
}

TEST_F(DropoutLayer, UsesItsOwnSeedIfItHasOne) {
  const Dropout layer({.rate = 0.5, .seed = 9});
  training_clock().tick();
  const std::vector<float> before = train(layer);
  set_random_seed(2);
  training_clock().tick();
  EXPECT_EQ(train(layer), before);
}

TEST_F(DropoutLayer, LetsTheGradientThroughWhereItKeeps) {
  const Tensor y = Dropout({.rate = 0.5})(ones_, {.training = true});
  const Tensor dx = gradients(sum(y), std::span(&ones_, 1))[0];
  EXPECT_EQ(dx.to_vector(), y.to_vector());
}

}  // namespace
}  // namespace plimsoll
