#include "plimsoll/formats/images/encode_jpeg.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/support/messages.h"

namespace plimsoll {
namespace {

using ::testing::HasSubstr;
using testing::message_of;

Image ramp(int64_t channels) {
  Image image{.height = 30, .width = 40, .channels = channels, .pixels = {}};
  for (int64_t y = 0; y < image.height; ++y)
    for (int64_t x = 0; x < image.width; ++x)
      for (int64_t channel = 0; channel < channels; ++channel)
        image.pixels.push_back(static_cast<uint8_t>(channel == 1 ? y * 8 : x * 6));
  return image;
}

// The mean distance of the pixels after they were written and read.
double loss_of(const Image& image, int quality) {
  const std::string bytes = encode_jpeg(image, quality);
  const ColorMode mode = image.channels == 1 ? ColorMode::grayscale : ColorMode::rgb;
  const Image read = decode_image(std::as_bytes(std::span(bytes)), "t.jpg", mode);
  EXPECT_EQ(read.height, image.height);
  EXPECT_EQ(read.width, image.width);
  EXPECT_EQ(read.channels, image.channels);
  double sum = 0;
  for (size_t i = 0; i < image.pixels.size(); ++i)
    sum += std::abs(image.pixels[i] - read.pixels[i]);
  return sum / static_cast<double>(image.pixels.size());
}

TEST(EncodeJpeg, KeepsMoreWithAHigherQuality) {
  for (const int64_t channels : {1, 3}) {
    const Image image = ramp(channels);
    EXPECT_LT(loss_of(image, 95), 2.0);
    EXPECT_LT(loss_of(image, 95), 0.5 * loss_of(image, 10));
    EXPECT_LT(encode_jpeg(image, 10).size(), encode_jpeg(image, 95).size());
  }
}

TEST(EncodeJpeg, RefusesWhatAJpegFileCannotHold) {
  const auto message = [](const Image& image, int quality) {
    return message_of([&] { encode_jpeg(image, quality); });
  };
  EXPECT_THAT(message(ramp(4), 90), HasSubstr("has 1 or 3 channels, found an image with 4"));
  EXPECT_THAT(message(ramp(3), 0), HasSubstr("from 1 to 100, found 0"));
  Image empty{.height = 0, .width = 5, .channels = 3, .pixels = {}};
  EXPECT_THAT(message(empty, 90), HasSubstr("0 x 5 cannot be a JPEG file"));
}

}  // namespace
}  // namespace plimsoll
