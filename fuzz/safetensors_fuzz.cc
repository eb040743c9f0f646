// Any bytes are either safetensors, each of which can be read, or a CorruptFile.
#include <cstdint>
#include <vector>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/archives/safetensors.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto* bytes = reinterpret_cast<const std::byte*>(data);
  try {
    const plimsoll::SafetensorsFile file(plimsoll::memory_source("fuzz", {bytes, bytes + size}));
    for (const auto& entry : file.entries()) {
      if (entry.shape.elements() > 1 << 16) continue;
      std::vector<std::byte> values(static_cast<size_t>(entry.shape.elements()) * 4);
      file.read(entry, plimsoll::DType::float32, values);
    }
  } catch (const plimsoll::CorruptFile&) {
  }
  return 0;
}
