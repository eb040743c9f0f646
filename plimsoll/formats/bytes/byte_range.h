// Parts of a ByteSource, checked against its end.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "plimsoll/formats/bytes/byte_source.h"

namespace plimsoll {

// Fills `into` with what begins at `offset`. CorruptFile, saying what it was to
// be, where the source ends before.
void read_range(ByteSource& source, int64_t offset, std::span<std::byte> into,
                const std::string& what);

// Bytes [begin, begin + size) as a source of their own, as safe for threads as
// the other is. CorruptFile if they are not all there.
ByteSourcePtr part_of(ByteSourcePtr source, int64_t begin, int64_t size, std::string name);

}  // namespace plimsoll
