#include "plimsoll/formats/images/gif.h"

#include "fuzz/decode_in_every_mode.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  decode_in_every_mode(data, size, plimsoll::decode_gif);
  return 0;
}
