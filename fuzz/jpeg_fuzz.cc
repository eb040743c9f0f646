// Any bytes are either an image or a CorruptFile, in every colour mode.
#include <cstddef>
#include <cstdint>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/jpeg.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using plimsoll::ColorMode;
  const std::span bytes(reinterpret_cast<const std::byte*>(data), size);
  for (const ColorMode mode : {ColorMode::grayscale, ColorMode::rgb, ColorMode::rgba}) {
    try {
      plimsoll::decode_jpeg(bytes, "fuzz", mode, {.pixels = 1 << 16});
    } catch (const plimsoll::CorruptFile&) {
    }
  }
  return 0;
}
