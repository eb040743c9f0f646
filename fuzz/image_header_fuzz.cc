// Any bytes have a header, or not all of one, or are a CorruptFile.
#include "plimsoll/formats/images/image_header.h"

#include "plimsoll/base/error.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::span bytes(reinterpret_cast<const std::byte*>(data), size);
  try {
    const auto header = plimsoll::find_image_header(bytes, "fuzz");
    if (header && (header->height < 0 || header->width < 0)) __builtin_trap();
  } catch (const plimsoll::CorruptFile&) {
  }
  return 0;
}
