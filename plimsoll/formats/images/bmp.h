// BMP, by code of our own: the format is a header and bytes.
#pragma once

#include "plimsoll/formats/images/image_rows.h"

namespace plimsoll {

// 1, 4 and 8 bits with a palette, also run-length encoded; 16, 24 and 32 bits, also with masks;
// rows from the bottom up or the top down. The fourth byte of 32 bits is the alpha, as for
// TensorFlow. CorruptFile where the data is damaged or ends early.
void decode_bmp(std::span<const std::byte> bytes, const std::string& name,
                const DecodeOptions& options, ImageRows& into);

}  // namespace plimsoll
