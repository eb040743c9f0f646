#include "plimsoll/report/thumbnail.h"

#include <algorithm>
#include <cmath>

#include "plimsoll/formats/images/encode_jpeg.h"

namespace plimsoll {
namespace {

constexpr int64_t kMostSide = 72;

// Each pixel is the mean of the box that it stands for.
Image shrunk(const Image& image) {
  const int64_t longest = std::max(image.height, image.width);
  const int64_t by = (longest + kMostSide - 1) / kMostSide;
  if (by <= 1) return image;
  Image small{.height = std::max<int64_t>(1, image.height / by),
              .width = std::max<int64_t>(1, image.width / by),
              .channels = image.channels,
              .pixels = {}};
  const auto row = [&](int64_t y, int64_t x) { return (y * image.width + x) * image.channels; };
  for (int64_t y = 0; y < small.height; ++y)
    for (int64_t x = 0; x < small.width; ++x)
      for (int64_t c = 0; c < image.channels; ++c) {
        int64_t sum = 0, count = 0;
        for (int64_t v = y * by; v < std::min((y + 1) * by, image.height); ++v)
          for (int64_t u = x * by; u < std::min((x + 1) * by, image.width); ++u, ++count)
            sum += image.pixels[static_cast<size_t>(row(v, u) + c)];
        small.pixels.push_back(static_cast<uint8_t>(sum / std::max<int64_t>(1, count)));
      }
  return small;
}

}  // namespace

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t bits = 0;
    for (size_t k = 0; k < 3; ++k)
      bits = bits << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0);
    for (size_t k = 0; k < 4; ++k)
      text += i + k <= bytes.size() ? kDigits[bits >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

std::string thumbnail_of(const Image& image) {
  constexpr int kQuality = 80;
  return "data:image/jpeg;base64," + base64(encode_jpeg(shrunk(image), kQuality));
}

std::string thumbnail_of(std::span<const float> numbers, int64_t height, int64_t width,
                         int64_t channels) {
  float least = 0, largest = 0;
  for (const float number : numbers) {
    if (!std::isfinite(number)) continue;
    least = std::min(least, number);
    largest = std::max(largest, number);
  }
  const bool is_share = least >= 0 && largest <= 1, is_byte = least >= 0 && largest <= 255;
  const float base = is_share || is_byte ? 0 : least;
  const float range = is_share ? 1 : is_byte ? 255 : largest - least;
  Image image{.height = height, .width = width, .channels = channels, .pixels = {}};
  image.pixels.reserve(numbers.size());
  for (const float number : numbers) {
    const float share = std::isfinite(number) ? (number - base) / range : 0;
    image.pixels.push_back(static_cast<uint8_t>(std::lround(255 * std::clamp(share, 0.f, 1.f))));
  }
  return thumbnail_of(image);
}

}  // namespace plimsoll
