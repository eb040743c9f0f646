// Any bytes are either a TFRecord file or a CorruptFile.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/tensorflow/tfrecord.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto* bytes = reinterpret_cast<const std::byte*>(data);
  const plimsoll::ByteSourcePtr file = plimsoll::memory_source("fuzz", {bytes, bytes + size});
  std::vector<int64_t> offsets;
  try {
    plimsoll::index_tfrecords(*file, [&](int64_t offset) { offsets.push_back(offset); });
    offsets.push_back(file->size());
    for (size_t i = 0; i + 1 < offsets.size(); ++i)
      plimsoll::tfrecord_data({bytes + offsets[i], bytes + offsets[i + 1]}, "fuzz");
  } catch (const plimsoll::CorruptFile&) {
  }
  return 0;
}
