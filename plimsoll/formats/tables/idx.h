// IDX, the format of the MNIST family: a magic number that names the element type and the rank, the
// dimensions, the elements, all big-endian. Read plain or gzip-compressed.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "plimsoll/tensor/host_tensor.h"

namespace plimsoll {

// The sizes are checked against this before anything is allocated.
inline constexpr int64_t kIdxMaxBytes = int64_t{8} << 30;

// Elements of type unsigned byte, int and float are understood. Throws IoError where the file
// cannot be read, CorruptFile (naming it and the place) where it is not a whole IDX file.
HostTensor read_idx(const std::string& path, int64_t max_bytes = kIdxMaxBytes);

// Gives up to `size` bytes, fewer only at the end.
using ByteReader = std::function<int64_t(std::byte* into, int64_t size)>;
// The same from any stream of decompressed bytes; `name` is for messages.
HostTensor read_idx(const ByteReader& reader, const std::string& name, int64_t max_bytes);

// The header alone, which takes four bytes and four for each dimension. CorruptFile if it is not
// a header, or describes more than `max_bytes`.
Spec read_idx_header(const ByteReader& reader, const std::string& name, int64_t max_bytes);
inline int64_t idx_header_bytes(const Spec& spec) {
  return 4 + 4 * spec.shape.rank();
}
// Turns the elements from the file's order of bytes to this machine's, or back.
void swap_idx_bytes(const Spec& spec, std::span<std::byte> elements);

// The bytes of a file, expanded where it is compressed by gzip. IoError if it cannot be opened.
ByteReader gzip_reader(const std::string& path);

}  // namespace plimsoll
