// What random layers promise: nothing changes but in training, draws are a function of the seed and
// the step, and they stay within their bounds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "plimsoll/nn/clock.h"
#include "plimsoll/nn/images/random_affine.h"
#include "plimsoll/nn/images/random_color.h"
#include "plimsoll/nn/images/random_crop.h"
#include "plimsoll/nn/images/random_sharpness.h"
#include "plimsoll/nn/images/tones.h"
#include "tests/support/messages.h"

namespace plimsoll {
namespace {

using testing::message_of;

// Images of which each pixel is another.
Tensor ramp(int64_t batch, int64_t height, int64_t width) {
  const Shape shape{batch, height, width, 1};
  std::vector<float> values;
  for (int64_t i = 0; i < shape.elements(); ++i)
    values.push_back(static_cast<float>(i % (height * width)));
  return constant(values, shape);
}

// One image of a batch.
std::vector<float> image(const Tensor& images, int64_t number) {
  const std::vector<float> all = images.to_vector();
  const int64_t size = images.shape().elements(1, 4);
  return {all.begin() + number * size, all.begin() + (number + 1) * size};
}

std::vector<Layer> all_kinds() {
  return {RandomFlip({.name = "r"}),
          RandomRotation({.factor = 0.3, .name = "r"}),
          RandomZoom({.height_factor = 0.3, .name = "r"}),
          RandomTranslation({.height_factor = 0.3, .width_factor = 0.3, .name = "r"}),
          RandomContrast({.factor = 0.5, .name = "r"}),
          RandomBrightness({.factor = 0.5, .name = "r"}),
          RandomShear({.x_factor = 0.3, .y_factor = 0.2, .name = "r"}),
          RandomInvert({.name = "r"}),
          RandomPosterization({.factor = {4, 8}, .name = "r"}),
          Solarization({.addition_factor = 0.1, .threshold_factor = 0.2, .name = "r"}),
          RandomSharpness({.factor = 1, .name = "r"}),
          RandomGaussianBlur({.name = "r"}),
          RandomErasing({.name = "r"}),
          RandomCrop({.height = 3, .width = 4, .name = "r"})};
}

TEST(RandomLayers, LeaveImagesAloneUnlessTraining) {
  const Tensor x = ramp(3, 5, 6);
  for (const Layer& layer : all_kinds()) EXPECT_EQ(layer(x).to_vector(), x.to_vector());
}

TEST(RandomLayers, DrawTheSameAgainForTheSameSeedAndStep) {
  const Tensor x = ramp(8, 5, 6);
  for (size_t i = 0; i < all_kinds().size(); ++i) {
    std::vector<std::vector<float>> results;
    for (const int64_t seed : {5, 5, 6}) {
      set_random_seed(seed);
      results.push_back(all_kinds()[i](x, {.training = true}).to_vector());
      training_clock().tick();
      evaluate(Tensors{});
      results.push_back(all_kinds()[i](x, {.training = true}).to_vector());
      training_clock().tick();
      evaluate(Tensors{});
    }
    EXPECT_EQ(results[0], results[2]) << all_kinds()[i]->class_name();
    EXPECT_EQ(results[1], results[3]) << all_kinds()[i]->class_name();
    EXPECT_NE(results[0], results[4]) << all_kinds()[i]->class_name();
    if (all_kinds()[i]->class_name() == "RandomCrop") continue;
    EXPECT_NE(results[0], results[1]) << all_kinds()[i]->class_name();
  }
}

TEST(RandomFlip, TurnsAboutHalfOfTheImagesRound) {
  const Tensor x = ramp(200, 2, 3);
  set_random_seed(1);
  const auto flips = [&](const char* mode, const std::vector<float>& flipped) {
    const Tensor y = RandomFlip({.mode = mode})(x, {.training = true});
    int count = 0;
    for (int64_t i = 0; i < 200; ++i) {
      const bool changed = image(y, i) != image(x, i);
      EXPECT_EQ(image(y, i), changed ? flipped : image(x, i)) << mode;
      count += changed;
    }
    EXPECT_GT(count, 70) << mode;
    EXPECT_LT(count, 130) << mode;
  };
  flips("horizontal", {2, 1, 0, 5, 4, 3});
  flips("vertical", {3, 4, 5, 0, 1, 2});
  flips("horizontal_and_vertical", {5, 4, 3, 2, 1, 0});
}

TEST(RandomTranslation, MovesByPartsOfTheSizeTheWayItSays) {
  const Tensor x = ramp(50, 10, 10);
  set_random_seed(2);
  const Layer layer = RandomTranslation({.height_factor = {0.2, 0.2},
                                         .width_factor = {-0.3, -0.3},
                                         .fill_mode = "constant",
                                         .interpolation = "nearest",
                                         .fill_value = -1});
  const std::vector<float> y = image(layer(x, {.training = true}), 7);
  for (int64_t row = 0; row < 10; ++row)
    for (int64_t column = 0; column < 10; ++column) {
      const int64_t from_row = row - 2, from_column = column + 3;
      const bool inside = from_row >= 0 && from_column < 10;
      EXPECT_EQ(y[static_cast<size_t>(row * 10 + column)],
                inside ? static_cast<float>(from_row * 10 + from_column) : -1);
    }
}

TEST(RandomRotation, AQuarterTurnMovesEveryPixel) {
  const Tensor x = ramp(1, 3, 3);
  const Layer layer =
      RandomRotation({.factor = {0.25, 0.25}, .fill_mode = "nearest", .interpolation = "nearest"});
  EXPECT_THAT(layer(x, {.training = true}).to_vector(),
              ::testing::ElementsAre(2, 5, 8, 1, 4, 7, 0, 3, 6));
}

TEST(RandomZoom, KeepsTheMiddle) {
  const Tensor x = ramp(20, 5, 5);
  set_random_seed(3);
  const Tensor y = RandomZoom({.height_factor = 0.5, .width_factor = 0.5})(x, {.training = true});
  std::set<float> corners;
  for (int64_t i = 0; i < 20; ++i) {
    EXPECT_NEAR(image(y, i)[12], 12, 1e-4);
    corners.insert(image(y, i)[0]);
  }
  EXPECT_GT(corners.size(), 10u);
}

TEST(RandomCrop, TakesTheSamePartOfAllImagesOfABatch) {
  const Tensor x = ramp(6, 6, 7);
  const Layer layer = RandomCrop({.height = 3, .width = 4});
  std::set<float> corners;
  for (int64_t seed = 0; seed < 40; ++seed) {
    set_random_seed(seed);
    const Tensor y = layer(x, {.training = true});
    ASSERT_EQ(y.shape(), (Shape{6, 3, 4, 1}));
    const float first = image(y, 0)[0];
    corners.insert(first);
    for (int64_t i = 0; i < 6; ++i)
      for (int64_t p = 0; p < 12; ++p)
        EXPECT_EQ(image(y, i)[static_cast<size_t>(p)],
                  first + static_cast<float>(p / 4 * 7 + p % 4));
  }
  EXPECT_GT(corners.size(), 8u);
  EXPECT_EQ(*corners.rbegin(), 24);  // row 3, column 3: as far as it goes
}

TEST(RandomCrop, ResizesImagesThatAreSmaller) {
  const Layer layer = RandomCrop({.height = 6, .width = 6});
  EXPECT_EQ(layer(ramp(2, 4, 5), {.training = true}).shape(), (Shape{2, 6, 6, 1}));
}

TEST(RandomContrast, MovesValuesAwayFromTheMeanWithinTheRange) {
  const Tensor x = ramp(30, 4, 4);
  set_random_seed(4);
  const Tensor y = RandomContrast({.factor = 0.5, .value_range = {0, 15}})(x, {.training = true});
  for (int64_t i = 0; i < 30; ++i) {
    const std::vector<float> of = image(y, i);
    const float factor = (of[8] - 7.5f) / 0.5f;
    EXPECT_GE(factor, 1 - 1e-4);
    EXPECT_LE(factor, 1.5);
    for (size_t p = 0; p < 16; ++p)
      EXPECT_NEAR(of[p], std::clamp(7.5f + (static_cast<float>(p) - 7.5f) * factor, 0.0f, 15.0f),
                  1e-3);
  }
}

TEST(RandomBrightness, AddsTheSameToAllPixelsOfAnImage) {
  const Tensor x = ramp(30, 2, 2);
  set_random_seed(5);
  const Tensor y =
      RandomBrightness({.factor = {0.1, 0.2}, .value_range = {0, 100}})(x, {.training = true});
  std::set<float> added;
  for (int64_t i = 0; i < 30; ++i) {
    const std::vector<float> of = image(y, i);
    EXPECT_GE(of[0], 10);
    EXPECT_LE(of[0], 20);
    EXPECT_NEAR(of[3] - of[0], 3, 1e-4);
    added.insert(of[0]);
  }
  EXPECT_GT(added.size(), 20u);
}

TEST(RandomErasing, FillsARectangleOfTheSizeItSays) {
  const Tensor x = ramp(40, 10, 8);
  set_random_seed(6);
  const Layer layer = RandomErasing({.factor = {1, 1}, .scale = {0.25, 0.25}, .fill_value = 200});
  const Tensor y = layer(x, {.training = true});
  std::set<size_t> corners;
  for (int64_t i = 0; i < 40; ++i) {
    const std::vector<float> before = image(x, i), after = image(y, i);
    std::set<size_t> rows, columns;
    size_t erased = 0;
    for (size_t p = 0; p < after.size(); ++p) {
      if (after[p] == before[p]) continue;
      EXPECT_EQ(after[p], 200);
      rows.insert(p / 8);
      columns.insert(p % 8);
      ++erased;
    }
    EXPECT_EQ(rows.size(), 5u);  // half of each side
    EXPECT_EQ(columns.size(), 4u);
    EXPECT_EQ(erased, 20u);
    corners.insert(*rows.begin() * 8 + *columns.begin());
  }
  EXPECT_GT(corners.size(), 10u);
}

TEST(RandomInvert, TurnsTheValuesOfSomeImagesRound) {
  const Tensor x = ramp(200, 2, 3);
  set_random_seed(7);
  const Tensor y =
      RandomInvert({.factor = {0.5, 0.5}, .value_range = {0, 5}})(x, {.training = true});
  int turned = 0;
  for (int64_t i = 0; i < 200; ++i) {
    const bool changed = image(y, i) != image(x, i);
    EXPECT_EQ(image(y, i), changed ? (std::vector<float>{5, 4, 3, 2, 1, 0}) : image(x, i));
    turned += changed;
  }
  EXPECT_GT(turned, 70);
  EXPECT_LT(turned, 130);
}

TEST(RandomShear, MovesRowsByAShareOfTheirNumber) {
  const Tensor x = ramp(20, 4, 4);
  set_random_seed(8);
  const Layer layer = RandomShear(
      {.x_factor = {1, 1}, .interpolation = "nearest", .fill_mode = "constant", .fill_value = -1});
  const Tensor y = layer(x, {.training = true});
  const std::vector<float> left = {0, 1, 2, 3, 5, 6, 7, -1, 10, 11, -1, -1, 15, -1, -1, -1};
  const std::vector<float> right = {0, 1, 2, 3, -1, 4, 5, 6, -1, -1, 8, 9, -1, -1, -1, 12};
  int to_the_left = 0;
  for (int64_t i = 0; i < 20; ++i) {
    const bool is_left = image(y, i) == left;
    EXPECT_TRUE(is_left || image(y, i) == right) << i;
    to_the_left += is_left;
  }
  EXPECT_GT(to_the_left, 3);
  EXPECT_LT(to_the_left, 17);
}

TEST(RandomLayers, RefuseWhatMakesNoSense) {
  EXPECT_EQ(message_of([] { RandomFlip({.mode = "diagonal", .name = "r"}); }),
            "r: mode must be horizontal, vertical or horizontal_and_vertical, found 'diagonal'");
  EXPECT_EQ(
      message_of([] { RandomRotation({.factor = 0.1, .interpolation = "bicubic", .name = "r"}); }),
      "r: interpolation must be nearest or bilinear, found 'bicubic'");
  EXPECT_NE(message_of([] { RandomZoom({.height_factor = 3, .name = "r"}); }), "no error");
  EXPECT_NE(message_of([] { RandomContrast({.factor = -0.5, .name = "r"}); }), "no error");
  EXPECT_EQ(message_of([] { RandomCrop({.height = 3, .name = "r"}); }),
            "r: width must be at least 1, found 0");
}

TEST(RandomLayers, TakeOneImageAlone) {
  const Tensor whole = ramp(1, 4, 3), single = constant(whole.to_vector(), {4, 3, 1});
  for (const Layer& layer : all_kinds()) {
    EXPECT_EQ(layer(single).shape(), single.shape()) << layer->class_name();
    EXPECT_EQ(layer(single).to_vector(), layer(whole).to_vector()) << layer->class_name();
  }
}

}  // namespace
}  // namespace plimsoll
