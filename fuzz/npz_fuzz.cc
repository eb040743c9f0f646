// Any bytes are either a .npz file or a CorruptFile; its arrays likewise.
#include <cstddef>
#include <cstdint>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/numpy/npz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto* bytes = reinterpret_cast<const std::byte*>(data);
  try {
    const plimsoll::NpzFile file(plimsoll::memory_source("fuzz", {bytes, bytes + size}));
    for (const std::string& name : file.names()) file.array(name).read(1 << 20);
  } catch (const plimsoll::CorruptFile&) {
  } catch (const plimsoll::InvalidArgument&) {  // larger than it may be
  }
  return 0;
}
