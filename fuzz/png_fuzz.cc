#include "plimsoll/formats/images/png.h"

#include "fuzz/decode_in_every_mode.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  decode_in_every_mode(data, size, plimsoll::decode_png);
  return 0;
}
