// Any bytes are either a tar archive or a CorruptFile; every member lies within them.
#include <cstddef>
#include <cstdint>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/tar.h"

namespace {

void walk(plimsoll::ByteSource& archive, plimsoll::TarReader::Extent extent) {
  int64_t end = 0;
  try {
    plimsoll::TarReader reader(archive, extent);
    while (reader.next()) {
      const plimsoll::TarMember& member = reader.member();
      const bool is_inside = member.begin >= end && member.offset > member.begin &&
                             member.size >= 0 && member.offset + member.size <= member.end &&
                             member.end <= archive.size();
      if (!is_inside) __builtin_trap();
      end = member.end;
    }
  } catch (const plimsoll::CorruptFile&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto* bytes = reinterpret_cast<const std::byte*>(data);
  const plimsoll::ByteSourcePtr archive = plimsoll::memory_source("fuzz", {bytes, bytes + size});
  walk(*archive, plimsoll::TarReader::Extent::archive);
  walk(*archive, plimsoll::TarReader::Extent::part);
  return 0;
}
