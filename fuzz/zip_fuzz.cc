// Any bytes are either a zip archive whose entries can be read, or a CorruptFile.
#include <algorithm>
#include <cstdint>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/archives/zip_archive.h"

using plimsoll::ByteSourcePtr;
using plimsoll::CorruptFile;
using plimsoll::ZipArchive;
using plimsoll::ZipEntry;

namespace {

void read(const ZipArchive& archive, const ZipEntry& entry) {
  try {
    archive.read(entry.name, 1 << 20);
    if (entry.compressed || entry.size == 0) return;
    const ByteSourcePtr source = archive.open(entry.name, "");
    std::byte last;
    source->read_at(source->size() - 1, {&last, 1});
  } catch (const CorruptFile&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto* bytes = reinterpret_cast<const std::byte*>(data);
  try {
    const ZipArchive archive(plimsoll::memory_source("fuzz", {bytes, bytes + size}));
    for (const ZipEntry& entry : archive.entries()) read(archive, entry);
  } catch (const CorruptFile&) {
  }
  return 0;
}
