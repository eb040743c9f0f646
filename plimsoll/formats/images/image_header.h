// What an image file says of itself in its first bytes; no pixel is decoded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "plimsoll/formats/bytes/byte_source.h"

namespace plimsoll {

enum class ImageKind { jpeg, png, webp, bmp, gif };

struct ImageHeader {
  bool operator==(const ImageHeader&) const = default;

  ImageKind kind = ImageKind::jpeg;
  // As stored: a palette counts as rgb. Nothing is promised of the numbers; a size may be zero.
  int64_t height = 0, width = 0, channels = 0;
};

// "JPEG", "PNG", "WebP", "BMP", "GIF".
std::string_view to_string(ImageKind kind);

// By the first bytes, whatever the name says; none if they are no image that is known here.
std::optional<ImageKind> kind_by_bytes(std::span<const std::byte> bytes);
// As above; CorruptFile, beginning with `name`, where they are no image.
ImageKind expect_image_kind(std::span<const std::byte> bytes, const std::string& name);
// By the ending of the name, in capitals or not; none for another.
std::optional<ImageKind> kind_by_name(std::string_view path);

// None where the header goes on after the last byte. CorruptFile, beginning with `name`, where it
// is damaged or of no image.
std::optional<ImageHeader> find_image_header(std::span<const std::byte> bytes,
                                             const std::string& name);
// As above, and CorruptFile where the header goes on. The first 32 bytes of a file are enough,
// except for a JPEG, in which profiles and thumbnails of any size may come before the header.
ImageHeader read_image_header(std::span<const std::byte> bytes, const std::string& name);
// Reads no more of the file than is needed.
ImageHeader read_image_header(ByteSource& file);

}  // namespace plimsoll
