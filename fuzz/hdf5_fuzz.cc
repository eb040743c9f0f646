// Any bytes are either an HDF5 file whose tensors can be read, or a CorruptFile.
#include <cstdint>
#include <vector>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/hdf5/hdf5_file.h"

using plimsoll::DType;
using plimsoll::Hdf5Group;

namespace {

void read(const Hdf5Group& group) {
  for (const auto& [name, dataset] : group.datasets) {
    if (!dataset.is_numeric() || dataset.shape().elements() > 1 << 16) continue;
    std::vector<std::byte> values(static_cast<size_t>(dataset.shape().elements()) * 4);
    dataset.read(DType::float32, values);
    dataset.read(DType::int32, values);
  }
  for (const auto& [name, child] : group.groups) read(child);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto* bytes = reinterpret_cast<const std::byte*>(data);
  try {
    read(plimsoll::read_hdf5(plimsoll::memory_source("fuzz", {bytes, bytes + size})).root);
  } catch (const plimsoll::CorruptFile&) {
  }
  return 0;
}
