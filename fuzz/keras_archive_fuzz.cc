// Any bytes are either a .keras file whose texts and weights can be read, or a CorruptFile.
#include <cstdint>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/archives/keras_archive.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto* bytes = reinterpret_cast<const std::byte*>(data);
  try {
    plimsoll::KerasArchive(plimsoll::memory_source("fuzz", {bytes, bytes + size})).weights();
  } catch (const plimsoll::CorruptFile&) {
  }
  return 0;
}
