// WebP by libwebp.
#pragma once

#include "plimsoll/formats/images/image_rows.h"

namespace plimsoll {

// Still images, lossy or not. CorruptFile where the data is damaged, ends early, or moves.
void decode_webp(std::span<const std::byte> bytes, const std::string& name,
                 const DecodeOptions& options, ImageRows& into);

}  // namespace plimsoll
