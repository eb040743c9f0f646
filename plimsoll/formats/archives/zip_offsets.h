// Where the entries of a zip archive lie, so that a stored one can be read in
// place by several threads at once: libzip has one position for the whole
// archive and does not tell.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "plimsoll/formats/bytes/byte_source.h"

namespace plimsoll {

// The offset of each entry's local header, by name, from the central directory
// (zip64 too). CorruptFile, naming the archive and the place, where that is not
// whole.
std::map<std::string, int64_t> zip_header_offsets(ByteSource& archive);

// Where the contents begin behind the local header at `header_offset`.
int64_t zip_contents_offset(ByteSource& archive, int64_t header_offset);

}  // namespace plimsoll
