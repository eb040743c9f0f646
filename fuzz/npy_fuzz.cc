// Any bytes are either a .npy array or a CorruptFile.
#include <cstddef>
#include <cstdint>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/numpy/npy.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto* bytes = reinterpret_cast<const std::byte*>(data);
  try {
    const plimsoll::NpyArray array(plimsoll::memory_source("fuzz", {bytes, bytes + size}));
    array.read(1 << 20);
    if (array.rows() > 1) {
      std::vector<std::byte> row(static_cast<size_t>(array.row_bytes()));
      array.read_rows(array.rows() - 1, 1, row.data());
    }
  } catch (const plimsoll::CorruptFile&) {
  } catch (const plimsoll::InvalidArgument&) {  // larger than it may be
  }
  return 0;
}
