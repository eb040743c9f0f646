// The central directory of a zip archive (zip64 too): the only code that takes numbers from one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plimsoll/formats/bytes/byte_source.h"

namespace plimsoll {

struct ZipEntry {
  std::string name;
  int64_t size = 0;         // of its contents
  int64_t stored_size = 0;  // in the archive
  bool compressed = false;
  bool encrypted = false;
  int method = 0;             // of compression; 0: stored as it is, 8: deflated
  uint32_t checksum = 0;      // CRC-32 of its contents
  int64_t header_offset = 0;  // of its local header, which comes before the contents
};

// The entries in the order of the directory. CorruptFile, naming the archive and the place, if the
// directory is not whole.
std::vector<ZipEntry> read_zip_directory(ByteSource& archive);

// The offset of the contents, which begin after the local header.
int64_t zip_contents_offset(ByteSource& archive, int64_t header_offset);

}  // namespace plimsoll
