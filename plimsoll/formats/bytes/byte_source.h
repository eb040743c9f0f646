// Bytes that can be read at any place: a file, memory, an entry of an archive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace plimsoll {

class ByteSource {
 public:
  virtual ~ByteSource() = default;

  // For messages.
  virtual const std::string& name() const = 0;
  virtual int64_t size() const = 0;
  // Fills `into` with what begins at `offset`; the range must lie within size(). Throws IoError or
  // CorruptFile.
  virtual void read_at(int64_t offset, std::span<std::byte> into) = 0;
};

using ByteSourcePtr = std::shared_ptr<ByteSource>;

// The file at `path`, read with pread. IoError if it cannot be opened or is no regular file.
ByteSourcePtr file_source(const std::string& path);
ByteSourcePtr memory_source(std::string name, std::vector<std::byte> bytes);

// `size` bytes at `offset`; CorruptFile if they go beyond the end of the source.
void check_range(const ByteSource& source, uint64_t offset, uint64_t size, const std::string& what);

}  // namespace plimsoll
