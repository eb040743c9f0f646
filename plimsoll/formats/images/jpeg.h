// JPEG by libjpeg-turbo.
#pragma once

#include "plimsoll/formats/images/image_rows.h"

namespace plimsoll {

// The pixels are those of Keras (TensorFlow), bit for bit. CorruptFile where the data is damaged or
// ends early: what libjpeg would only warn of and fill with grey. Warnings that lose no pixel are
// silent.
void decode_jpeg(std::span<const std::byte> bytes, const std::string& name,
                 const DecodeOptions& options, ImageRows& into);

}  // namespace plimsoll
