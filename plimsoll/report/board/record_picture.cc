#include "plimsoll/report/board/record_picture.h"

#include <filesystem>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/bytes/read_text.h"
#include "plimsoll/formats/images/encode_jpeg.h"
#include "plimsoll/formats/images/image_flaw.h"
#include "plimsoll/formats/images/image_header.h"

namespace plimsoll {
namespace {

constexpr int64_t kMostFileBytes = 1 << 20, kMostPixels = 1'000'000;
constexpr int kQuality = 85;

std::optional<RecordPicture> decoded(const std::string& bytes, const std::string& name) {
  try {
    const Image image = decode_image(std::as_bytes(std::span(bytes)), name, ColorMode::rgb,
                                     {.pixels = kMostPixels, .file_bytes = kMostFileBytes});
    return RecordPicture{image.height, image.width, encode_jpeg(image, kQuality)};
  } catch (const Error&) {
    return std::nullopt;
  }
}

// Browsers show the beginning of a file that is cut off.
std::optional<RecordPicture> as_it_is(const std::string& bytes, const std::string& name) {
  if (image_flaw(std::as_bytes(std::span(bytes))) != Flaw::truncated) return std::nullopt;
  const ImageHeader header = read_image_header(std::as_bytes(std::span(bytes)), name);
  const bool is_shown = header.kind == ImageKind::jpeg || header.kind == ImageKind::png;
  if (!is_shown || header.height < 1 || header.width < 1 ||
      header.width > kMostPixels / header.height)
    return std::nullopt;
  return RecordPicture{header.height, header.width, bytes};
}

}  // namespace

std::optional<RecordPicture> picture_of_record(const std::string& name) {
  std::error_code error;
  if (!kind_by_name(name) || !std::filesystem::is_regular_file(name, error)) return std::nullopt;
  try {
    const std::string bytes = read_text(name, kMostFileBytes, "a picture");
    if (auto picture = decoded(bytes, name)) return picture;
    return as_it_is(bytes, name);
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace plimsoll
