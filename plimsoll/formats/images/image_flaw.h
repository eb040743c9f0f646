// What is wrong with an image file that could not be decoded.
#pragma once

#include <cstddef>
#include <span>

#include "plimsoll/base/flaw.h"
#include "plimsoll/formats/images/image_rows.h"

namespace plimsoll {

// Of the bytes of a file that a decoder has refused: empty, zeros, not_an_image, too_large,
// truncated where its structure goes on after the last byte, else damaged.
Flaw image_flaw(std::span<const std::byte> bytes, const ImageLimits& limits = {});

// Calls `decode`; a CorruptFile that it throws comes out as a FlawedRecord with the flaw.
template <class Decode>
auto with_flaw(std::span<const std::byte> bytes, const ImageLimits& limits, const Decode& decode) {
  try {
    return decode();
  } catch (const FlawedRecord&) {
    throw;
  } catch (const CorruptFile& error) {
    throw FlawedRecord(image_flaw(bytes, limits), error.what());
  }
}

}  // namespace plimsoll
