// Image files decoded and resized straight into the slot of their record.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "plimsoll/data/images/resize_image.h"
#include "plimsoll/formats/images/image.h"
#include "plimsoll/tensor/spec.h"

namespace plimsoll {

struct ImageSlotOptions {
  ResizeOptions resize = {};
  ColorMode color_mode = ColorMode::rgb;
  // JPEG files are decoded at a fraction of their size where that is not below three quarters of
  // `resize.size`: faster, and near to the exact pixels.
  bool fast_decode = false;
  ImageLimits limits = {};
};

// The field that such an image is: float32, 0 to 255, channels last.
Spec image_field(const ImageSlotOptions& options);

// CorruptFile, beginning with `name`, where it is no image, is damaged, or is over the limits.
void decode_into_slot(std::span<const std::byte> bytes, const std::string& name,
                      const ImageSlotOptions& options, std::byte* into);

}  // namespace plimsoll
