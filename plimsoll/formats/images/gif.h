// GIF, by code of our own: only the first picture is wanted, and nothing after it is read.
#pragma once

#include "plimsoll/formats/images/image_rows.h"

namespace plimsoll {

// The first picture, on a black screen as large as the file says; what is transparent in it is
// black too, with an alpha of 0. CorruptFile where the data is damaged or ends early.
void decode_gif(std::span<const std::byte> bytes, const std::string& name,
                const DecodeOptions& options, ImageRows& into);

}  // namespace plimsoll
