// The header of a BMP file.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace plimsoll {

enum class BmpPacking { none, runs_of_8_bits, runs_of_4_bits, masks };

struct BmpLayout {
  int64_t height = 0, width = 0;
  bool is_top_down = false;
  int bits = 0;  // of a pixel
  BmpPacking packing = BmpPacking::none;
  size_t pixels_at = 0;                               // where the rows begin
  std::array<std::array<uint8_t, 3>, 256> palette{};  // red, green, blue; black where not given
  std::array<uint32_t, 4> masks{};                    // red, green, blue, alpha, of 16 and 32 bits

  // Of a row, with what fills it up to a multiple of four.
  int64_t stride() const { return (width * bits + 31) / 32 * 4; }
};

// CorruptFile, beginning with `name`, where the header is damaged or describes a form that is not
// supported. The size is not checked against anything.
BmpLayout read_bmp_layout(std::span<const std::byte> bytes, const std::string& name);

}  // namespace plimsoll
