// Optimizers that clip by the norms of weights or of earlier gradients.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "plimsoll/base/error.h"
#include "plimsoll/nn/optimizers/adam.h"
#include "plimsoll/nn/optimizers/changed_optimizer.h"
#include "plimsoll/nn/optimizers/optimizer_list.h"
#include "plimsoll/nn/optimizers/sgd.h"
#include "plimsoll/ops/ops.h"

namespace plimsoll {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

Variable weight_of(const std::vector<float>& numbers, const Shape& shape) {
  Variable weight("w", {DType::float32, shape}, true);
  weight.set(numbers);
  return weight;
}

std::vector<float> after(const Optimizer& optimizer, const Variable& weight,
                         const std::vector<float>& gradient) {
  optimizer.apply_gradients({constant(gradient, weight.shape())}, {weight});
  return weight.value().to_vector();
}

TEST(AdaptiveClipping, ShortensTheGradientOfAUnitToItsShareOfTheWeights) {
  const Variable weight = weight_of({3, 1, 4, 1}, {2, 2});
  const std::vector<float> moved =
      after(SGD({.learning_rate = 1, .adaptive_clip = 0.1}), weight, {30, 0.01f, 40, 0.02f});
  EXPECT_FLOAT_EQ(moved[0], 3 - 0.3f);  // the norm of 50 may be a tenth of 5
  EXPECT_FLOAT_EQ(moved[2], 4 - 0.4f);
  EXPECT_FLOAT_EQ(moved[1], 1 - 0.01f);  // is within it
  EXPECT_FLOAT_EQ(moved[3], 1 - 0.02f);
}

// The squares of such gradients overflow float32; their norm does not.
TEST(ClippingByNorm, ShortensGradientsWhoseSquaresOverflow) {
  for (const Optimizer& optimizer : {Optimizer(SGD({.learning_rate = 1, .clipnorm = 1})),
                                     Optimizer(SGD({.learning_rate = 1, .global_clipnorm = 1}))}) {
    const std::vector<float> moved = after(optimizer, weight_of({0, 0}, {2}), {3e30f, 4e30f});
    EXPECT_FLOAT_EQ(moved[0], -0.6f);
    EXPECT_FLOAT_EQ(moved[1], -0.8f);
  }
}

// The scale of the loss is removed before the norms are compared.
TEST(AdaptiveClipping, DoesNotSeeTheScaleOfTheLoss) {
  const Variable plain = weight_of({3, 4}, {2}), scaled = weight_of({3, 4}, {2});
  const std::vector<float> expected =
      after(SGD({.learning_rate = 1, .adaptive_clip = 0.1}), plain, {3, 4});
  const std::vector<float> found = after(
      SGD({.learning_rate = 1, .adaptive_clip = 0.1, .loss_scale_factor = 8}), scaled, {24, 32});
  EXPECT_FLOAT_EQ(found[0], expected[0]);
  EXPECT_FLOAT_EQ(found[1], expected[1]);
}

// Norms of 1, 3 and 8: their medians so far are 1, 2 and 3.
TEST(ClippingByPercentile, ShortensToThePercentileOfTheNormsSoFar) {
  const Variable weight = weight_of({0}, {1});
  const Optimizer optimizer = SGD({.learning_rate = 1, .clip_percentile = 50});
  EXPECT_FLOAT_EQ(after(optimizer, weight, {1})[0], -1);
  EXPECT_FLOAT_EQ(after(optimizer, weight, {3})[0], -3);
  EXPECT_FLOAT_EQ(after(optimizer, weight, {8})[0], -6);
  EXPECT_FLOAT_EQ(after(optimizer, weight, {0.5})[0], -6.5);
}

// Steps that only add up have no norm of their own: the means are 2 and 4.
TEST(ClippingByPercentile, CountsUpdates) {
  const Variable weight = weight_of({0}, {1});
  const Optimizer optimizer =
      SGD({.learning_rate = 1, .clip_percentile = 50, .gradient_accumulation_steps = 2});
  for (const float gradient : {1.0f, 3.0f, 2.0f, 6.0f}) after(optimizer, weight, {gradient});
  EXPECT_FLOAT_EQ(weight.value().to_vector()[0], -2 - 3);
  EXPECT_EQ(optimizer->unsaved_variables().size(), 2u);
}

TEST(ClippingByPercentile, KeepsItsNormsWhereSettingsChange) {
  const Variable weight = weight_of({0}, {1});
  const Optimizer optimizer = SGD({.learning_rate = 1, .clip_percentile = 50});
  after(optimizer, weight, {1});
  const Optimizer slower = changed(optimizer, {.learning_rate = LearningRate(0.5)});
  EXPECT_FLOAT_EQ(after(slower, weight, {3})[0], -1 - 0.5f * 2);
}

// Keras would refuse the config of a model that has one of them.
TEST(AdaptiveClipping, IsNotInTheConfigAndNotInTheState) {
  for (const Optimizer& optimizer :
       {Optimizer(Adam({.adaptive_clip = 0.02})), Optimizer(Adam({.clip_percentile = 10}))}) {
    const Json config = config_of(optimizer)["config"];
    EXPECT_FALSE(config.contains("adaptive_clip"));
    EXPECT_FALSE(config.contains("clip_percentile"));
    EXPECT_EQ(optimizer->variables().size(), Optimizer("adam")->variables().size());
    const Optimizer copy = fresh_copy(optimizer);
    EXPECT_EQ(copy->settings().adaptive_clip, optimizer->settings().adaptive_clip);
    EXPECT_EQ(copy->settings().clip_percentile, optimizer->settings().clip_percentile);
  }
  EXPECT_EQ(optimizer_from_config({{"class_name", "SGD"}, {"config", {{"adaptive_clip", 0.5}}}})
                ->settings()
                .adaptive_clip,
            0.5);
}

TEST(AdaptiveClipping, ReplacesTheOtherWays) {
  const Optimizer optimizer = changed(Adam({.clipnorm = 1.0}), {.adaptive_clip = 0.01});
  EXPECT_EQ(optimizer->settings().clipnorm, std::nullopt);
  EXPECT_EQ(optimizer->settings().adaptive_clip, 0.01);
  EXPECT_EQ(changed(optimizer, {.clipvalue = 1})->settings().adaptive_clip, std::nullopt);
}

TEST(AdaptiveClipping, RefusesSettingsThatCannotBe) {
  EXPECT_THAT([] { Adam({.clipnorm = 1.0, .adaptive_clip = 0.01}); },
              ThrowsMessage<InvalidArgument>(HasSubstr("only one of clipnorm")));
  EXPECT_THAT([] { Adam({.adaptive_clip = 0.0}); },
              ThrowsMessage<InvalidArgument>(HasSubstr("must be above 0")));
  EXPECT_THAT([] { Adam({.clip_percentile = 101.0}); },
              ThrowsMessage<InvalidArgument>(HasSubstr("at most 100, found 101")));
}

}  // namespace
}  // namespace plimsoll
