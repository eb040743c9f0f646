// Any bytes are either a zip archive whose entries can be read, or a CorruptFile.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/archives/zip_archive.h"

using plimsoll::ByteSourcePtr;
using plimsoll::CorruptFile;
using plimsoll::ZipArchive;
using plimsoll::ZipEntry;

namespace {

void read(const ZipArchive& archive, const ZipEntry& entry) {
  try {
    const std::string contents = archive.read(entry.name, 1 << 20);
    std::string at_once(contents.size(), ' ');
    archive.read_into(entry, std::as_writable_bytes(std::span(at_once)));
    if (at_once != contents) std::abort();
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
