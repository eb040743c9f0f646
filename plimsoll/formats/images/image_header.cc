#include "plimsoll/formats/images/image_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>
#include <vector>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/bytes/little_endian.h"

namespace plimsoll {
namespace {

using Bytes = std::span<const std::byte>;

bool has_text(Bytes bytes, size_t at, std::string_view text) {
  return bytes.size() >= at + text.size() &&
         std::string_view(reinterpret_cast<const char*>(bytes.data()) + at, text.size()) == text;
}

int64_t little(Bytes bytes, size_t at, size_t count) {
  return little_endian(bytes, at, count);
}

int64_t big(Bytes bytes, size_t at, size_t count) {
  uint32_t value = 0;
  for (size_t i = 0; i < count; ++i) value = value << 8 | std::to_integer<uint32_t>(bytes[at + i]);
  return value;
}

[[noreturn]] void refuse(const std::string& name, ImageKind kind, const std::string& why) {
  throw CorruptFile(name + ": the " + std::string(to_string(kind)) + " image is damaged: " + why);
}

bool begins_frame(uint8_t marker) {
  const bool is_table = marker == 0xC4 || marker == 0xC8 || marker == 0xCC;
  return marker >= 0xC0 && marker <= 0xCF && !is_table;
}

// These markers have no length and no contents.
bool is_bare(uint8_t marker) {
  return marker == 0x01 || (marker >= 0xD0 && marker <= 0xD8);
}

// Goes from segment to segment until that of the frame.
std::optional<ImageHeader> jpeg_header(Bytes bytes, const std::string& name) {
  size_t at = 2;
  while (at + 1 < bytes.size()) {
    if (bytes[at] != std::byte{0xFF}) {  // as libjpeg: what is no marker is passed over
      ++at;
      continue;
    }
    const auto marker = std::to_integer<uint8_t>(bytes[at + 1]);
    if (marker == 0xD9 || marker == 0xDA) refuse(name, ImageKind::jpeg, "it has no frame");
    at += marker == 0xFF ? 1 : 2;
    if (marker == 0xFF || marker == 0 || is_bare(marker)) continue;
    if (at + 2 > bytes.size()) return std::nullopt;
    const int64_t length = big(bytes, at, 2);
    if (length < 2) refuse(name, ImageKind::jpeg, "a segment has a wrong length");
    if (begins_frame(marker)) {
      if (length < 8) refuse(name, ImageKind::jpeg, "its frame is too short");
      if (at + 8 > bytes.size()) return std::nullopt;
      return ImageHeader{ImageKind::jpeg, big(bytes, at + 3, 2), big(bytes, at + 5, 2),
                         big(bytes, at + 7, 1)};
    }
    at += static_cast<size_t>(length);
  }
  return std::nullopt;
}

std::optional<ImageHeader> png_header(Bytes bytes, const std::string& name) {
  if (bytes.size() < 26) return std::nullopt;
  if (!has_text(bytes, 12, "IHDR")) refuse(name, ImageKind::png, "it has no header");
  constexpr std::array<int64_t, 7> kChannels = {1, 0, 3, 3, 2, 0, 4};
  const auto type = static_cast<size_t>(big(bytes, 25, 1));
  if (type >= kChannels.size() || kChannels[type] == 0)
    refuse(name, ImageKind::png, fmt::format("it has colours of type {}", type));
  return ImageHeader{ImageKind::png, big(bytes, 20, 4), big(bytes, 16, 4), kChannels[type]};
}

std::optional<ImageHeader> webp_header(Bytes bytes, const std::string& name) {
  if (bytes.size() < 30) return std::nullopt;
  if (has_text(bytes, 12, "VP8 ")) {
    if (!has_text(bytes, 23, "\x9d\x01\x2a")) refuse(name, ImageKind::webp, "it has no frame");
    return ImageHeader{ImageKind::webp, little(bytes, 28, 2) & 0x3FFF,
                       little(bytes, 26, 2) & 0x3FFF, 3};
  }
  if (has_text(bytes, 12, "VP8L")) {
    if (!has_text(bytes, 20, "\x2f")) refuse(name, ImageKind::webp, "it has no frame");
    const int64_t bits = little(bytes, 21, 4);
    return ImageHeader{ImageKind::webp, (bits >> 14 & 0x3FFF) + 1, (bits & 0x3FFF) + 1,
                       (bits >> 28 & 1) != 0 ? 4 : 3};
  }
  if (!has_text(bytes, 12, "VP8X")) refuse(name, ImageKind::webp, "it has no frame");
  const bool has_alpha = (little(bytes, 20, 1) & 0x10) != 0;
  return ImageHeader{ImageKind::webp, little(bytes, 27, 3) + 1, little(bytes, 24, 3) + 1,
                     has_alpha ? 4 : 3};
}

// Sizes are signed; a negative height says that the rows go from the top down.
std::optional<ImageHeader> bmp_header(Bytes bytes, const std::string& name) {
  if (bytes.size() < 30) return std::nullopt;
  const int64_t header_bytes = little(bytes, 14, 4);
  if (header_bytes != 12 && (header_bytes < 40 || header_bytes > 256))
    refuse(name, ImageKind::bmp, fmt::format("its header has {} bytes", header_bytes));
  const bool is_old = header_bytes == 12;
  const int64_t bits = is_old ? little(bytes, 24, 2) : little(bytes, 28, 2);
  const int64_t channels = bits == 32 ? 4 : 3;
  if (is_old)
    return ImageHeader{ImageKind::bmp, little(bytes, 20, 2), little(bytes, 18, 2), channels};
  const auto read = [&](size_t at) {
    return int64_t{static_cast<int32_t>(static_cast<uint32_t>(little(bytes, at, 4)))};
  };
  return ImageHeader{ImageKind::bmp, std::abs(read(22)), std::max<int64_t>(0, read(18)), channels};
}

std::optional<ImageHeader> gif_header(Bytes bytes) {
  if (bytes.size() < 10) return std::nullopt;
  return ImageHeader{ImageKind::gif, little(bytes, 8, 2), little(bytes, 6, 2), 3};
}

// What the bytes are instead, for a message.
std::string instead(Bytes bytes) {
  if (bytes.empty()) return "the file is empty";
  if (has_text(bytes, 0, "<")) return "it is a page of text";
  if (std::ranges::all_of(bytes, [](std::byte b) { return b == std::byte{}; }))
    return "it has nothing but zeros";
  return "it is another kind of file";
}

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace

std::string_view to_string(ImageKind kind) {
  constexpr std::array<std::string_view, 5> kNames = {"JPEG", "PNG", "WebP", "BMP", "GIF"};
  return kNames[static_cast<size_t>(kind)];
}

std::optional<ImageKind> kind_by_bytes(Bytes bytes) {
  if (has_text(bytes, 0, "\xff\xd8\xff")) return ImageKind::jpeg;
  if (has_text(bytes, 0, "\x89PNG\r\n\x1a\n")) return ImageKind::png;
  if (has_text(bytes, 0, "RIFF") && has_text(bytes, 8, "WEBP")) return ImageKind::webp;
  if (has_text(bytes, 0, "GIF87a") || has_text(bytes, 0, "GIF89a")) return ImageKind::gif;
  if (has_text(bytes, 0, "BM")) return ImageKind::bmp;
  return std::nullopt;
}

ImageKind expect_image_kind(Bytes bytes, const std::string& name) {
  if (const std::optional<ImageKind> kind = kind_by_bytes(bytes)) return *kind;
  throw CorruptFile(name + ": expected a JPEG, PNG, WebP, BMP or GIF image; " + instead(bytes));
}

std::optional<ImageKind> kind_by_name(std::string_view path) {
  constexpr std::array<std::pair<std::string_view, ImageKind>, 6> kEndings = {
      {{".jpg", ImageKind::jpeg},
       {".jpeg", ImageKind::jpeg},
       {".png", ImageKind::png},
       {".webp", ImageKind::webp},
       {".bmp", ImageKind::bmp},
       {".gif", ImageKind::gif}}};
  const std::string_view ending = path.substr(std::min(path.rfind('.'), path.size()));
  for (const auto& [text, kind] : kEndings)
    if (std::ranges::equal(ending, text, {}, lower)) return kind;
  return std::nullopt;
}

std::optional<ImageHeader> find_image_header(Bytes bytes, const std::string& name) {
  switch (expect_image_kind(bytes, name)) {
    case ImageKind::jpeg:
      return jpeg_header(bytes, name);
    case ImageKind::png:
      return png_header(bytes, name);
    case ImageKind::webp:
      return webp_header(bytes, name);
    case ImageKind::bmp:
      return bmp_header(bytes, name);
    case ImageKind::gif:
      return gif_header(bytes);
  }
  std::abort();
}

ImageHeader read_image_header(Bytes bytes, const std::string& name) {
  const std::optional<ImageHeader> header = find_image_header(bytes, name);
  if (!header) refuse(name, *kind_by_bytes(bytes), "it ends in its header");
  return *header;
}

ImageHeader read_image_header(ByteSource& file) {
  constexpr int64_t kFirstBytes = 4096;
  constexpr int64_t kMostBytes = 16 << 20;  // no camera writes more before the frame
  const int64_t most = std::min(file.size(), kMostBytes);
  std::vector<std::byte> bytes;
  for (int64_t wanted = kFirstBytes;; wanted *= 8) {
    const size_t begin = bytes.size();
    bytes.resize(static_cast<size_t>(std::min(wanted, most)));
    file.read_at(static_cast<int64_t>(begin), std::span(bytes).subspan(begin));
    if (wanted >= most) return read_image_header(bytes, file.name());
    if (const auto header = find_image_header(bytes, file.name())) return *header;
  }
}

}  // namespace plimsoll
