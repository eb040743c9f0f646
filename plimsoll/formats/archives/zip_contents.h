// The contents of one entry of a zip archive, stored or deflated.
#pragma once

#include <functional>
#include <span>

#include "plimsoll/formats/archives/zip_directory.h"

namespace plimsoll {

// Gives the contents to `sink`, piece by piece, and compares their size and checksum with the
// directory's. CorruptFile, with the reason alone, if they differ or the compressed data is
// damaged: the caller names the archive and the entry.
void stream_zip_contents(ByteSource& archive, const ZipEntry& entry,
                         const std::function<void(std::span<const std::byte>)>& sink);

// All of the contents at once; `into` has entry.size bytes. CorruptFile as above.
void read_zip_contents(ByteSource& archive, const ZipEntry& entry, std::span<std::byte> into);

}  // namespace plimsoll
