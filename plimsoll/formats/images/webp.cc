#include "plimsoll/formats/images/webp.h"

#include <webp/decode.h>

#include <algorithm>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/bytes/scratch_bytes.h"
#include "plimsoll/formats/images/image_size.h"
#include "plimsoll/formats/images/write_pixel.h"

namespace plimsoll {
namespace {

std::string reason(VP8StatusCode status) {
  switch (status) {
    case VP8_STATUS_NOT_ENOUGH_DATA:
      return "it ends too early";
    case VP8_STATUS_UNSUPPORTED_FEATURE:
      return "it has something that libwebp does not read";
    case VP8_STATUS_OUT_OF_MEMORY:
      return "there is no memory for it";
    default:
      return "its data is wrong";
  }
}

void expect(VP8StatusCode status, const std::string& name) {
  if (status != VP8_STATUS_OK)
    throw CorruptFile(name + ": the WebP image is damaged: " + reason(status));
}

WebPBitstreamFeatures read_features(std::span<const std::byte> bytes, const std::string& name) {
  WebPBitstreamFeatures features;
  expect(WebPGetFeatures(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size(), &features),
         name);
  if (features.has_animation != 0)
    throw CorruptFile(name + ": the WebP image is animated; save its first picture");
  return features;
}

void read_pixels(std::span<const std::byte> bytes, const std::string& name, int64_t stride,
                 WEBP_CSP_MODE mode, ScratchBytes& into) {
  WebPDecoderConfig config;
  if (WebPInitDecoderConfig(&config) == 0) throw Error("libwebp has another version");
  config.output.colorspace = mode;
  config.output.is_external_memory = 1;
  config.output.u.RGBA = {into.data(), static_cast<int>(stride), into.size()};
  expect(WebPDecode(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size(), &config), name);
}

// From three channels to one, in place.
void turn_gray(uint8_t* pixels, int64_t count) {
  const uint8_t* from = pixels;
  for (int64_t i = 0; i < count; ++i, from += 3) pixels[i] = gray_of(from[0], from[1], from[2]);
}

}  // namespace

void decode_webp(std::span<const std::byte> bytes, const std::string& name,
                 const DecodeOptions& options, ImageRows& into) {
  const WebPBitstreamFeatures features = read_features(bytes, name);
  const int64_t height = features.height, width = features.width;
  check_image_size(height, width, name, options.limits);
  const int64_t channels = channels_of(options.mode);
  const int64_t stride = width * std::max<int64_t>(3, channels);
  ScratchBytes pixels(static_cast<size_t>(height * stride));
  read_pixels(bytes, name, stride, channels == 4 ? MODE_RGBA : MODE_RGB, pixels);
  if (channels == 1) turn_gray(pixels.data(), height * width);
  into.begin(height, width, channels);
  into.add(pixels.data(), height);
}

}  // namespace plimsoll
