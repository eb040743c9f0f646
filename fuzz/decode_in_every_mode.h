// Any bytes are either an image or a CorruptFile, in every colour mode.
#pragma once

#include <cstddef>
#include <cstdint>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/images/image.h"

// Reads every pixel that it is given, so that a sanitizer sees each.
class ReadEveryPixel final : public plimsoll::ImageRows {
 public:
  void begin(int64_t height, int64_t width, int64_t channels) override {
    row_bytes_ = width * channels;
    rows_ = height;
  }
  void add(const uint8_t* rows, int64_t count) override {
    for (int64_t i = 0; i < count * row_bytes_; ++i) sum_ = sum_ + rows[i];
    rows_ -= count;
    if (rows_ < 0) __builtin_trap();
  }

 private:
  int64_t row_bytes_ = 0, rows_ = 0;  // of those that are to come
  volatile unsigned sum_ = 0;
};

template <class Decode>
void decode_in_every_mode(const uint8_t* data, size_t size, Decode decode) {
  using plimsoll::ColorMode;
  const std::span bytes(reinterpret_cast<const std::byte*>(data), size);
  for (const ColorMode mode : {ColorMode::grayscale, ColorMode::rgb, ColorMode::rgba})
    for (const int64_t least : {0, 3}) {
      ReadEveryPixel rows;
      try {
        decode(bytes, "fuzz",
               {.mode = mode, .limits = {.pixels = 1 << 16}, .at_least = {least, least}}, rows);
      } catch (const plimsoll::CorruptFile&) {
      }
    }
}
