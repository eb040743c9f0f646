// Image files to pixels: JPEG, PNG, WebP, BMP and the first picture of a GIF. The decoders see
// untrusted bytes: sizes are checked from the header before anything is allocated, and a bad file
// is an error that names it, never more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "plimsoll/formats/images/image_rows.h"

namespace plimsoll {

// Reads Keras's names: "grayscale", "rgb", "rgba". InvalidArgument for anything else.
ColorMode color_mode(const std::string& name);

// The format is known by its first bytes, whatever the name says. FlawedRecord, beginning with
// `name`, where it is of another, damaged or cut off, or larger than the limits.
void decode_image(std::span<const std::byte> bytes, const std::string& name,
                  const DecodeOptions& options, ImageRows& into);
// The same from a file; IoError if it cannot be read.
void read_image(const std::string& path, const DecodeOptions& options, ImageRows& into);
// Calls `use` with the bytes of a file; FlawedRecord where they are more than the limits allow.
void with_image_bytes(const std::string& path, const ImageLimits& limits,
                      const std::function<void(std::span<const std::byte>)>& use);

// All rows at once.
struct Image {
  int64_t height = 0, width = 0, channels = 0;
  std::vector<uint8_t> pixels;
};

Image decode_image(std::span<const std::byte> bytes, const std::string& name, ColorMode mode,
                   const ImageLimits& limits = {});
Image read_image(const std::string& path, ColorMode mode, const ImageLimits& limits = {});

}  // namespace plimsoll
