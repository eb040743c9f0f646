// Small PNG files, made for a test.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace plimsoll::testing {

enum class PngColours : uint8_t { grey = 0, rgb = 2, palette = 3 };

// 8 bits per sample; `samples` are those of all pixels, row by row. A palette has 256 colours that
// differ from their numbers.
std::string png_file(int width, int height, const std::vector<uint8_t>& samples,
                     PngColours colours = PngColours::grey);

}  // namespace plimsoll::testing
