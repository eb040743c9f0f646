// Any bytes have one of the flaws of image files.
#include "plimsoll/formats/images/image_flaw.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using plimsoll::Flaw;
  const std::span bytes(reinterpret_cast<const std::byte*>(data), size);
  const Flaw flaw = plimsoll::image_flaw(bytes);
  if ((flaw == Flaw::empty) != (size == 0)) __builtin_trap();
  switch (flaw) {
    case Flaw::empty:
    case Flaw::zeros:
    case Flaw::not_an_image:
    case Flaw::too_large:
    case Flaw::truncated:
    case Flaw::damaged:
      return 0;
    default:
      __builtin_trap();
  }
}
