#include "plimsoll/data/images/image_slot.h"

namespace plimsoll {
namespace {

DecodeOptions decode_options(const ImageSlotOptions& options) {
  DecodeOptions decode{.mode = options.color_mode, .limits = options.limits};
  // A little less than is wanted is enough: 500 x 375 is halved for 224 x 224.
  if (options.fast_decode)
    decode.at_least = {(options.resize.size[0] * 3 + 3) / 4, (options.resize.size[1] * 3 + 3) / 4};
  return decode;
}

}  // namespace

Spec image_field(const ImageSlotOptions& options) {
  const auto [height, width] = options.resize.size;
  return {DType::float32, {height, width, channels_of(options.color_mode)}};
}

void decode_into_slot(std::span<const std::byte> bytes, const std::string& name,
                      const ImageSlotOptions& options, std::byte* into) {
  ImageResizer resizer(options.resize, reinterpret_cast<float*>(into));
  decode_image(bytes, name, decode_options(options), resizer);
}

}  // namespace plimsoll
