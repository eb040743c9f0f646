#include "plimsoll/formats/images/bmp_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/bytes/little_endian.h"
#include "plimsoll/formats/images/image_header.h"

namespace plimsoll {
namespace {

using Bytes = std::span<const std::byte>;

constexpr size_t kFileHeaderBytes = 14;
constexpr size_t kOldHeaderBytes = 12;  // of OS/2

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
  throw CorruptFile(name + ": the BMP image is damaged: " + why);
}

BmpPacking packing_of(uint32_t compression, int bits, const std::string& name) {
  if (compression == 0) return BmpPacking::none;
  if (compression == 1 && bits == 8) return BmpPacking::runs_of_8_bits;
  if (compression == 2 && bits == 4) return BmpPacking::runs_of_4_bits;
  if ((compression == 3 || compression == 6) && (bits == 16 || bits == 32))
    return BmpPacking::masks;
  throw CorruptFile(fmt::format(
      "{}: the BMP image of {} bits is compressed by method {}, which is not read; convert it",
      name, bits, compression));
}

std::array<uint32_t, 4> masks_of(Bytes bytes, size_t header_bytes, const BmpLayout& layout,
                                 const std::string& name) {
  if (layout.packing == BmpPacking::masks) {
    constexpr size_t kMasksAt = 54;
    const bool has_alpha = header_bytes >= 56;
    if (bytes.size() < kMasksAt + 16) refuse(name, "it ends in its header");
    std::array<uint32_t, 4> masks{};
    for (size_t i = 0; i < (has_alpha ? 4u : 3u); ++i)
      masks[i] = little_endian(bytes, kMasksAt + 4 * i, 4);
    return masks;
  }
  if (layout.bits == 16) return {0x7C00, 0x03E0, 0x001F, 0};
  return {0x00FF0000, 0x0000FF00, 0x000000FF, 0xFF000000};
}

void read_palette(Bytes bytes, size_t header_bytes, BmpLayout& layout) {
  const bool is_old = header_bytes == kOldHeaderBytes;
  const size_t entry_bytes = is_old ? 3 : 4, begin = kFileHeaderBytes + header_bytes;
  const size_t said = is_old ? 0 : little_endian(bytes, 46, 4);
  size_t count = size_t{1} << layout.bits;
  if (said > 0) count = std::min(count, said);
  count = std::min(count, (bytes.size() - begin) / entry_bytes);
  for (size_t i = 0; i < count; ++i)
    for (size_t color = 0; color < 3; ++color)
      layout.palette[i][color] =
          std::to_integer<uint8_t>(bytes[begin + i * entry_bytes + 2 - color]);
}

}  // namespace

BmpLayout read_bmp_layout(Bytes bytes, const std::string& name) {
  const ImageHeader header = read_image_header(bytes, name);
  if (header.kind != ImageKind::bmp) refuse(name, "it does not begin as one");
  const size_t header_bytes = little_endian(bytes, kFileHeaderBytes, 4);
  if (bytes.size() < kFileHeaderBytes + header_bytes) refuse(name, "it ends in its header");
  const bool is_old = header_bytes == kOldHeaderBytes;
  BmpLayout layout{.height = header.height, .width = header.width};
  layout.is_top_down = !is_old && (little_endian(bytes, 22, 4) >> 31) != 0;
  layout.bits = static_cast<int>(little_endian(bytes, is_old ? 24 : 28, 2));
  layout.pixels_at = little_endian(bytes, 10, 4);
  constexpr std::array kBits = {1, 4, 8, 16, 24, 32};
  if (std::ranges::find(kBits, layout.bits) == kBits.end())
    refuse(name, fmt::format("its pixels have {} bits", layout.bits));
  if (!is_old) layout.packing = packing_of(little_endian(bytes, 30, 4), layout.bits, name);
  if (layout.bits <= 8) read_palette(bytes, header_bytes, layout);
  layout.masks = masks_of(bytes, header_bytes, layout, name);
  return layout;
}

}  // namespace plimsoll
