#include "plimsoll/formats/images/image_flaw.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "plimsoll/formats/images/image_header.h"
#include "plimsoll/formats/images/image_size.h"

namespace plimsoll {
namespace {

using Bytes = std::span<const std::byte>;

uint8_t at(Bytes bytes, size_t place) {
  return std::to_integer<uint8_t>(bytes[place]);
}

uint32_t little32(Bytes bytes, size_t place) {
  uint32_t value = 0;
  for (size_t i = 4; i-- > 0;) value = value << 8 | at(bytes, place + i);
  return value;
}

uint32_t big32(Bytes bytes, size_t place) {
  uint32_t value = 0;
  for (size_t i = 0; i < 4; ++i) value = value << 8 | at(bytes, place + i);
  return value;
}

// Where the first scan begins; none where the segments before it go on after the last byte.
std::optional<size_t> jpeg_scan(Bytes bytes) {
  for (size_t place = 2; place + 4 <= bytes.size();) {
    if (at(bytes, place) != 0xFF || at(bytes, place + 1) == 0xFF) {
      ++place;
      continue;
    }
    const size_t length = size_t{at(bytes, place + 2)} << 8 | at(bytes, place + 3);
    if (at(bytes, place + 1) == 0xDA) return place;
    place += 2 + length;
  }
  return std::nullopt;
}

// In a scan, 0xFF comes before 0xD9 only at the end of the image.
bool jpeg_ends_early(Bytes bytes) {
  const std::optional<size_t> scan = jpeg_scan(bytes);
  if (!scan) return true;
  constexpr std::byte kEnd[] = {std::byte{0xFF}, std::byte{0xD9}};
  const Bytes rest = bytes.subspan(*scan);
  return std::search(rest.begin(), rest.end(), std::begin(kEnd), std::end(kEnd)) == rest.end();
}

bool png_ends_early(Bytes bytes) {
  constexpr size_t kAround = 12;  // length, type and checksum of a chunk
  const auto is_letter = [](uint8_t c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; };
  for (size_t place = 8;;) {
    if (bytes.size() - place < kAround) return true;
    for (size_t i = 4; i < 8; ++i)
      if (!is_letter(at(bytes, place + i))) return false;  // no chunk: damaged before
    const size_t length = big32(bytes, place);
    if (length > bytes.size() - place - kAround) return true;
    if (big32(bytes, place + 4) == 0x49454E44) return false;  // IEND
    place += kAround + length;
  }
}

// The place after a chain of blocks, each with its length before it, or after the last byte.
size_t after_gif_blocks(Bytes bytes, size_t place) {
  while (place < bytes.size() && at(bytes, place) != 0) place += 1 + size_t{at(bytes, place)};
  return place + 1;
}

size_t gif_colors(uint8_t flags) {
  return (flags & 0x80) != 0 ? size_t{3} << ((flags & 7) + 1) : 0;
}

bool gif_ends_early(Bytes bytes) {
  if (bytes.size() < 13) return true;
  for (size_t place = 13 + gif_colors(at(bytes, 10)); place < bytes.size();) {
    switch (at(bytes, place)) {
      case 0x3B:
        return false;  // the end
      case 0x21:
        place = after_gif_blocks(bytes, place + 2);
        break;
      case 0x2C:
        if (bytes.size() - place < 11) return true;
        place = after_gif_blocks(bytes, place + 11 + gif_colors(at(bytes, place + 9)));
        break;
      default:
        return false;  // no block: damaged before
    }
  }
  return true;
}

bool ends_early(ImageKind kind, Bytes bytes) {
  switch (kind) {
    case ImageKind::jpeg:
      return jpeg_ends_early(bytes);
    case ImageKind::png:
      return png_ends_early(bytes);
    case ImageKind::gif:
      return gif_ends_early(bytes);
    case ImageKind::bmp:
      return bytes.size() < 26 || little32(bytes, 2) > bytes.size();
    case ImageKind::webp:
      return uint64_t{little32(bytes, 4)} + 8 > bytes.size();
  }
  return false;
}

template <class Action>
bool is_refused(const Action& action) {
  try {
    action();
    return false;
  } catch (const CorruptFile&) {
    return true;
  }
}

bool is_too_large(Bytes bytes, const ImageLimits& limits) {
  std::optional<ImageHeader> header;
  if (is_refused([&] { header = find_image_header(bytes, ""); })) return false;
  if (!header || header->height < 1 || header->width < 1) return false;
  return is_refused([&] {
    if (header->kind == ImageKind::webp)
      check_image_size(header->height, header->width, "", limits);
    else
      check_image_size(header->height, header->width, bytes.size(), "", limits);
  });
}

}  // namespace

Flaw image_flaw(Bytes bytes, const ImageLimits& limits) {
  if (bytes.empty()) return Flaw::empty;
  if (std::ranges::all_of(bytes, [](std::byte b) { return b == std::byte{}; })) return Flaw::zeros;
  const std::optional<ImageKind> kind = kind_by_bytes(bytes);
  if (!kind) return Flaw::not_an_image;
  if (is_too_large(bytes, limits)) return Flaw::too_large;
  return ends_early(*kind, bytes) ? Flaw::truncated : Flaw::damaged;
}

}  // namespace plimsoll
