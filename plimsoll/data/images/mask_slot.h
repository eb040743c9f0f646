// Masks: images whose pixels are the numbers of classes, resized without mixing them.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "plimsoll/data/images/resize_image.h"
#include "plimsoll/tensor/spec.h"

namespace plimsoll {

struct MaskSlotOptions {
  // Its interpolation is not used: each pixel is the nearest one of the mask.
  ResizeOptions resize = {};
  enum class Form {
    numbers,  // int32 (height, width): the numbers as they are
    binary,   // float32 (height, width, 1): 0, or 1 for 1 and for 255
    vectors,  // float32 (height, width, classes): a 1 among 0s
  } form = Form::numbers;
  int64_t classes = 0;  // of vectors
  ImageLimits limits = {};
};

Spec mask_field(const MaskSlotOptions& options);

// The numbers of a PNG are those that are stored: of a palette the places in it, of 1, 2 or 4 bits
// not stretched to 255. Of other formats they are the shades of grey. FlawedRecord, beginning with
// `name`, where it is no mask, or has a number that is no class.
void decode_mask_into_slot(std::span<const std::byte> bytes, const std::string& name,
                           const MaskSlotOptions& options, std::byte* into);

}  // namespace plimsoll
