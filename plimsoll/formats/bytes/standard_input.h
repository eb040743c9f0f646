// Standard input as a file that can be read at any place.
#pragma once

#include "plimsoll/formats/bytes/byte_source.h"

namespace plimsoll {

// The name by which commands and file_source() know it.
inline constexpr const char* kStandardInput = "-";

// All of standard input, read to its end by the first call and kept in a file without a name in the
// system's temporary folder, as long as the process runs. Every call gives the same bytes. IoError
// where it is a terminal, cannot be read, or is larger than that folder has room for.
ByteSourcePtr standard_input();

}  // namespace plimsoll
