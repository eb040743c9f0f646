// Any bytes are either an IDX file or a CorruptFile.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/tables/idx.h"
#include "plimsoll/formats/tables/idx_array.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  size_t at = 0;
  const auto reader = [&](std::byte* into, int64_t wanted) {
    const size_t count = std::min(static_cast<size_t>(wanted), size - at);
    if (count > 0) std::memcpy(into, data + at, count);
    at += count;
    return static_cast<int64_t>(count);
  };
  try {
    plimsoll::read_idx(reader, "fuzz", 1 << 16);
  } catch (const plimsoll::CorruptFile&) {
  }
  try {
    const auto* bytes = reinterpret_cast<const std::byte*>(data);
    const plimsoll::IdxArray array(plimsoll::memory_source("fuzz", {bytes, bytes + size}), 1 << 16);
    std::vector<std::byte> row(static_cast<size_t>(array.row_bytes()));
    array.read_rows(array.rows() - 1, 1, row.data());
  } catch (const plimsoll::CorruptFile&) {
  }
  return 0;
}
