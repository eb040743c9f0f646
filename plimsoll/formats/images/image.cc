#include "plimsoll/formats/images/image.h"

#include "plimsoll/base/bytes.h"
#include "plimsoll/base/error.h"
#include "plimsoll/formats/bytes/byte_source.h"
#include "plimsoll/formats/bytes/scratch_bytes.h"
#include "plimsoll/formats/images/bmp.h"
#include "plimsoll/formats/images/gif.h"
#include "plimsoll/formats/images/image_flaw.h"
#include "plimsoll/formats/images/image_header.h"
#include "plimsoll/formats/images/jpeg.h"
#include "plimsoll/formats/images/png.h"
#include "plimsoll/formats/images/webp.h"

namespace plimsoll {
namespace {

class WholeImage final : public ImageRows {
 public:
  void begin(int64_t height, int64_t width, int64_t channels) override {
    image_ = {height, width, channels, {}};
    image_.pixels.reserve(static_cast<size_t>(height * width * channels));
  }

  void add(const uint8_t* rows, int64_t count) override {
    image_.pixels.insert(image_.pixels.end(), rows, rows + count * image_.width * image_.channels);
  }

  Image take() { return std::move(image_); }

 private:
  Image image_;
};

void decode_by_kind(std::span<const std::byte> bytes, const std::string& name,
                    const DecodeOptions& options, ImageRows& into) {
  switch (expect_image_kind(bytes, name)) {
    case ImageKind::jpeg:
      return decode_jpeg(bytes, name, options, into);
    case ImageKind::png:
      return decode_png(bytes, name, options, into);
    case ImageKind::webp:
      return decode_webp(bytes, name, options, into);
    case ImageKind::bmp:
      return decode_bmp(bytes, name, options, into);
    case ImageKind::gif:
      return decode_gif(bytes, name, options, into);
  }
}

}  // namespace

ColorMode color_mode(const std::string& name) {
  if (name == "grayscale") return ColorMode::grayscale;
  if (name == "rgb") return ColorMode::rgb;
  if (name == "rgba") return ColorMode::rgba;
  throw InvalidArgument("color_mode: expected grayscale, rgb or rgba, found '" + name + "'");
}

void decode_image(std::span<const std::byte> bytes, const std::string& name,
                  const DecodeOptions& options, ImageRows& into) {
  with_flaw(bytes, options.limits, [&] { decode_by_kind(bytes, name, options, into); });
}

void with_image_bytes(const std::string& path, const ImageLimits& limits,
                      const std::function<void(std::span<const std::byte>)>& use) {
  const ByteSourcePtr file = file_source(path);
  if (file->size() > limits.file_bytes)
    throw FlawedRecord(Flaw::too_large, path + ": the file has " + format_bytes(file->size()) +
                                            ", at most " + format_bytes(limits.file_bytes) +
                                            " are read as an image");
  ScratchBytes bytes(static_cast<size_t>(file->size()));
  file->read_at(0, bytes.bytes());
  use(bytes.bytes());
}

void read_image(const std::string& path, const DecodeOptions& options, ImageRows& into) {
  with_image_bytes(path, options.limits, [&](std::span<const std::byte> bytes) {
    decode_image(bytes, path, options, into);
  });
}

Image decode_image(std::span<const std::byte> bytes, const std::string& name, ColorMode mode,
                   const ImageLimits& limits) {
  WholeImage image;
  decode_image(bytes, name, {.mode = mode, .limits = limits}, image);
  return image.take();
}

Image read_image(const std::string& path, ColorMode mode, const ImageLimits& limits) {
  WholeImage image;
  read_image(path, {.mode = mode, .limits = limits}, image);
  return image.take();
}

}  // namespace plimsoll
