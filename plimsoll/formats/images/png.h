// PNG by libpng.
#pragma once

#include "plimsoll/formats/images/image_rows.h"

namespace plimsoll {

// Palettes, 16 bits, transparency and interlacing are read as Keras
// (TensorFlow) reads them, bit for bit. CorruptFile where the data is damaged
// (checksums too) or ends early.
void decode_png(std::span<const std::byte> bytes, const std::string& name,
                const DecodeOptions& options, ImageRows& into);

}  // namespace plimsoll
