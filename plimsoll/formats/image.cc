#include "plimsoll/formats/image.h"

#include <string_view>

#include "plimsoll/base/bytes.h"
#include "plimsoll/base/error.h"
#include "plimsoll/formats/byte_source.h"
#include "plimsoll/formats/jpeg.h"
#include "plimsoll/formats/png.h"

namespace plimsoll {
namespace {

bool begins_with(std::span<const std::byte> bytes, std::string_view text) {
  return bytes.size() >= text.size() &&
         std::string_view(reinterpret_cast<const char*>(bytes.data()), text.size()) == text;
}

// What the bytes are instead, for a message.
std::string kind_of(std::span<const std::byte> bytes) {
  if (bytes.empty()) return "the file is empty";
  if (begins_with(bytes, "GIF8")) return "it is a GIF";
  if (begins_with(bytes, "BM")) return "it is a BMP";
  if (begins_with(bytes, "RIFF")) return "it is a WebP";
  if (begins_with(bytes, "<")) return "it is a page of text";
  return "it is neither";
}

}  // namespace

ColorMode color_mode(const std::string& name) {
  if (name == "grayscale") return ColorMode::grayscale;
  if (name == "rgb") return ColorMode::rgb;
  if (name == "rgba") return ColorMode::rgba;
  throw InvalidArgument("color_mode: expected grayscale, rgb or rgba, found '" + name + "'");
}

Image decode_image(std::span<const std::byte> bytes, const std::string& name, ColorMode mode,
                   const ImageLimits& limits) {
  if (begins_with(bytes, "\xff\xd8\xff")) return decode_jpeg(bytes, name, mode, limits);
  if (begins_with(bytes, "\x89PNG\r\n\x1a\n")) return decode_png(bytes, name, mode, limits);
  throw CorruptFile(name + ": expected a JPEG or PNG image; " + kind_of(bytes));
}

Image read_image(const std::string& path, ColorMode mode, const ImageLimits& limits) {
  const ByteSourcePtr file = file_source(path);
  if (file->size() > limits.file_bytes)
    throw CorruptFile(path + ": the file has " + format_bytes(file->size()) + ", at most " +
                      format_bytes(limits.file_bytes) + " are read as an image");
  std::vector<std::byte> bytes(static_cast<size_t>(file->size()));
  file->read_at(0, bytes);
  return decode_image(bytes, path, mode, limits);
}

}  // namespace plimsoll
