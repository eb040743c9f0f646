// Reads small pieces of a large file, each after the one before. Pieces that are close together are
// read at once; between pieces that are far apart nothing is read.
#pragma once

#include <span>
#include <vector>

#include "plimsoll/formats/bytes/byte_source.h"

namespace plimsoll {

class ForwardReader {
 public:
  explicit ForwardReader(ByteSource& source) : source_(source) {}

  // The bytes, which must lie within the source; valid until the next call.
  std::span<const std::byte> read(int64_t offset, int64_t size);

 private:
  ByteSource& source_;
  std::vector<std::byte> window_;  // of the source, from window_begin_ on
  int64_t window_begin_ = 0;
  int64_t last_offset_ = 0;
};

}  // namespace plimsoll
