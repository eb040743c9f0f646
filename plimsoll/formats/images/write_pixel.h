// Colours to pixels of one, three or four channels, for the formats that no library converts.
#pragma once

#include <cstdint>

namespace plimsoll {

// ITU-R 601, in parts of 65536: the numbers of PIL.
constexpr uint8_t gray_of(int red, int green, int blue) {
  return static_cast<uint8_t>((19595 * red + 38470 * green + 7471 * blue + 32768) >> 16);
}

// Writes a pixel of so many channels and moves `into` past it.
inline void write_pixel(int red, int green, int blue, int alpha, int64_t channels, uint8_t*& into) {
  if (channels == 1) {
    *into++ = gray_of(red, green, blue);
    return;
  }
  *into++ = static_cast<uint8_t>(red);
  *into++ = static_cast<uint8_t>(green);
  *into++ = static_cast<uint8_t>(blue);
  if (channels == 4) *into++ = static_cast<uint8_t>(alpha);
}

}  // namespace plimsoll
