// The headers of a zip archive, as bytes. An entry begins with a local header; the archive ends
// with a directory of central headers and the record that says where the directory is. Dates and
// rights are always the same, so that the same contents give the same bytes.
#pragma once

#include <string>

#include "plimsoll/formats/archives/zip_directory.h"

namespace plimsoll {

// Numbers that need more than 32 bits are in the extra field of zip64. The length of a local header
// depends on the name and the sizes alone, not on the checksum.
std::string zip_local_header(const ZipEntry& entry);
std::string zip_central_header(const ZipEntry& entry);
// `directory_offset` and `directory_bytes` are of the central headers.
std::string zip_end(int64_t entries, int64_t directory_offset, int64_t directory_bytes);

}  // namespace plimsoll
