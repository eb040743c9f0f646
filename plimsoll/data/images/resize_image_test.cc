#include "plimsoll/data/images/resize_image.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/kernels/images/image_row.h"
#include "tests/support/golden.h"
#include "tests/support/guarded_buffer.h"
#include "tests/support/messages.h"

namespace plimsoll {
namespace {

using ::testing::HasSubstr;
using testing::message_of;

Image image_of(const testing::GoldenCase& golden) {
  const Shape shape = golden.tensor("image").shape();
  Image image{shape[0], shape[1], shape[2], {}};
  for (double pixel : golden.values("image")) image.pixels.push_back(static_cast<uint8_t>(pixel));
  return image;
}

TEST(ResizeImage, AgreesWithKeras) {
  int count = 0;
  for (const testing::GoldenCase& golden : testing::read_goldens("image_resizes")) {
    SCOPED_TRACE(golden.name());
    const Shape to = golden.tensor("resized").shape();
    const ResizeOptions options{.size = {to[0], to[1]},
                                .interpolation = image_interpolation(golden.text("interpolation")),
                                .crop_to_aspect_ratio = golden.text("mode") == "crop",
                                .pad_to_aspect_ratio = golden.text("mode") == "pad"};
    std::vector<float> resized(static_cast<size_t>(to.elements()), -1);
    resize_image(image_of(golden), options, resized.data());
    expect_golden(golden, "resized", std::vector<double>(resized.begin(), resized.end()), 1e-6);
    ++count;
  }
  EXPECT_EQ(count, 55);
}

// One channel and four are as three times one of them.
TEST(ResizeImage, TreatsChannelsAlike) {
  const testing::GoldenCase golden =
      testing::read_golden("image_resizes", "smaller_bilinear_stretch");
  const Image image = image_of(golden);
  const auto& expected = golden.values("resized");
  for (const int64_t channels : {1, 4}) {
    Image other{image.height, image.width, channels, {}};
    for (size_t i = 0; i < image.pixels.size(); i += 3)
      for (int64_t c = 0; c < channels; ++c)
        other.pixels.push_back(image.pixels[i + static_cast<size_t>(c % 3)]);
    std::vector<float> resized(static_cast<size_t>(5 * 4 * channels));
    resize_image(other, {.size = {5, 4}}, resized.data());
    for (size_t i = 0; i < resized.size(); ++i) {
      const size_t channel = i % static_cast<size_t>(channels) % 3;
      EXPECT_NEAR(resized[i], expected[i / static_cast<size_t>(channels) * 3 + channel], 1e-4);
    }
  }
}

// The area of a whole image is its mean.
TEST(ResizeImage, AveragesWhatAnAreaCovers) {
  Image image{3, 4, 1, {0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 230}};
  float mean = 0;
  resize_image(image, {.size = {1, 1}, .interpolation = ImageInterpolation::area}, &mean);
  EXPECT_FLOAT_EQ(mean, 65);
  std::vector<float> cropped(2);
  resize_image(
      image,
      {.size = {1, 2}, .interpolation = ImageInterpolation::area, .crop_to_aspect_ratio = true},
      cropped.data());
  // Rows 0 and 1 of 4 columns: two squares of two by two.
  EXPECT_THAT(cropped, ::testing::ElementsAre(25, 45));
}

TEST(ResizeImage, ReadsAndWritesNothingBeyondARow) {
  for (const int64_t channels : {1, 3, 4}) {
    const std::vector<kernels::StretchColumn> columns = {
        {0, 0.5f}, {channels, 0.25f}, {2 * channels, 1}};
    const testing::GuardedBuffer row(4 * channels), into(3 * channels * 4);
    kernels::stretch_image_row({reinterpret_cast<uint8_t*>(row.data()), row.bytes().size()},
                               columns, channels, reinterpret_cast<float*>(into.data()));
    EXPECT_TRUE(into.fence_is_intact());
    EXPECT_EQ(reinterpret_cast<float*>(into.data())[3 * channels - 1], 255);
  }
}

TEST(ResizeImage, RefusesWhatCannotBe) {
  EXPECT_EQ(message_of([] {
              check_resize({.size = {0, 4}}, "photos");
            }),
            "photos: expected an image_size of 1 or more, found 0 x 4");
  EXPECT_THAT(message_of([] {
                check_resize({.crop_to_aspect_ratio = true, .pad_to_aspect_ratio = true}, "photos");
              }),
              HasSubstr("found both; leave one out"));
  EXPECT_THAT(message_of([] { image_interpolation("cubic"); }), HasSubstr("found 'cubic'"));
}

}  // namespace
}  // namespace plimsoll
