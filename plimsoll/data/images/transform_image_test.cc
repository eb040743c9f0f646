#include "plimsoll/data/images/transform_image.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/data/images/standardize_image.h"
#include "tests/support/golden.h"
#include "tests/support/messages.h"

namespace plimsoll {
namespace {

using ::testing::ElementsAre;
using testing::GoldenCase;
using ::testing::HasSubstr;
using testing::message_of;

ImageShape shape_of(const GoldenCase& golden) {
  const Shape shape = golden.tensor("x").shape();
  return {shape[0], shape[1], shape[2]};
}

std::vector<float> image_of(const GoldenCase& golden) {
  const auto& values = golden.values("x");
  return {values.begin(), values.end()};
}

std::optional<float> maybe(const GoldenCase& golden, const std::string& key) {
  if (!golden.has(key)) return std::nullopt;
  return static_cast<float>(golden.number(key, 0));
}

ImageTransform transform_of(const GoldenCase& golden) {
  return {.rotation = golden.number("theta", 0),
          .column_shift = golden.number("tx", 0),
          .row_shift = golden.number("ty", 0),
          .shear = golden.number("shear", 0),
          .column_zoom = golden.number("zx", 1),
          .row_zoom = golden.number("zy", 1),
          .flip_horizontal = golden.flag("flip_horizontal", false),
          .flip_vertical = golden.flag("flip_vertical", false),
          .channel_shift = maybe(golden, "channel_shift_intensity"),
          .brightness = maybe(golden, "brightness")};
}

void expect_equal(const GoldenCase& golden, const std::vector<float>& y, double tolerance) {
  expect_golden(golden, "y", std::vector<double>(y.begin(), y.end()), tolerance);
}

TEST(TransformImage, AgreesWithKeras) {
  int count = 0;
  for (const GoldenCase& golden : testing::read_goldens("image_augmentations")) {
    if (golden.name().starts_with("standardize")) continue;
    SCOPED_TRACE(golden.name());
    const std::vector<float> x = image_of(golden);
    std::vector<float> y(x.size(), -1);
    transform_image(x.data(), shape_of(golden), transform_of(golden),
                    image_fill(golden.text("fill_mode", "nearest")),
                    static_cast<float>(golden.number("cval", 0)), y.data());
    expect_equal(golden, y, 2e-6);
    ++count;
  }
  EXPECT_EQ(count, 40);
}

TEST(TransformImage, StandardizesAsKeras) {
  int count = 0;
  for (const GoldenCase& golden : testing::read_goldens("image_augmentations")) {
    if (!golden.name().starts_with("standardize")) continue;
    SCOPED_TRACE(golden.name());
    ImageAugmentation options{
        .rescale = static_cast<float>(golden.number("rescale", 1)),
        .samplewise_center = golden.flag("samplewise_center", false),
        .samplewise_std_normalization = golden.flag("samplewise_std_normalization", false)};
    if (golden.flag("featurewise", false)) {
      options.featurewise_mean = {0.485f, 0.456f, 0.406f};
      options.featurewise_std = {0.229f, 0.224f, 0.225f};
    }
    std::vector<float> y = image_of(golden);
    standardize_image(y.data(), shape_of(golden), options);
    expect_equal(golden, y, 1e-6);
    ++count;
  }
  EXPECT_EQ(count, 4);
}

// Half a turn of an image that is not square goes about its centre.
TEST(TransformImage, TurnsAboutTheCentre) {
  const ImageShape shape{3, 5, 1};
  std::vector<float> x(15), y(15);
  for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i);
  transform_image(x.data(), shape, {.rotation = 180}, ImageFill::nearest, 0, y.data());
  std::ranges::reverse(x);
  for (size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(y[i], x[i], 1e-4) << i;
}

TEST(TransformImage, MovesColumnsAndRowsByWhatItSays) {
  const std::vector<float> x = {1, 2, 3, 4, 5, 6};
  std::vector<float> y(6);
  const auto moved = [&](const ImageTransform& transform) {
    transform_image(x.data(), {2, 3, 1}, transform, ImageFill::constant, 0, y.data());
    return y;
  };
  EXPECT_THAT(moved({.column_shift = 1}), ElementsAre(2, 3, 0, 5, 6, 0));
  EXPECT_THAT(moved({.row_shift = -1}), ElementsAre(0, 0, 0, 1, 2, 3));
  EXPECT_THAT(moved({.column_shift = 1, .flip_horizontal = true}), ElementsAre(0, 3, 2, 0, 6, 5));
}

TEST(TransformImage, TakesAnyNumberOfChannels) {
  const std::vector<float> x = {1, 2, 3, 4};
  std::vector<float> y(4);
  transform_image(x.data(), {1, 2, 2}, {.column_shift = 0.5}, ImageFill::nearest, 0, y.data());
  EXPECT_THAT(y, ElementsAre(2, 3, 3, 4));
}

// Far away, and where an image is a single pixel.
TEST(TransformImage, StaysInsideTheImageInEveryFillMode) {
  for (const ImageFill fill :
       {ImageFill::nearest, ImageFill::constant, ImageFill::reflect, ImageFill::wrap})
    for (const double shift : {-1e9, -7.5, 7.5, 1e9}) {
      const float pixel = 3;
      float result = 0;
      transform_image(&pixel, {1, 1, 1}, {.column_shift = shift, .row_shift = -shift}, fill, 3,
                      &result);
      EXPECT_EQ(result, 3);
      const std::vector<float> row = {1, 2, 3};
      std::vector<float> moved(3);
      transform_image(row.data(), {1, 3, 1}, {.column_shift = shift}, fill, 2, moved.data());
      for (const float value : moved) EXPECT_TRUE(value >= 1 && value <= 3) << value;
    }
}

TEST(TransformImage, KnowsItsFillModes) {
  EXPECT_EQ(image_fill("wrap"), ImageFill::wrap);
  EXPECT_THAT(message_of([] { image_fill("mirror"); }), HasSubstr("found 'mirror'"));
}

}  // namespace
}  // namespace plimsoll
