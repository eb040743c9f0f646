// Any bytes are either a tar archive or a CorruptFile; every member lies within them.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/archives/tar.h"

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

// Nothing is read after a wrong checksum, so every block is also tried with the right one.
std::vector<std::byte> with_checksums(std::vector<std::byte> bytes) {
  constexpr size_t kBlock = 512, kBegin = 148, kEnd = 156;
  for (size_t at = 0; at + kBlock <= bytes.size(); at += kBlock) {
    unsigned sum = 0;
    for (size_t i = 0; i < kBlock; ++i)
      sum += i >= kBegin && i < kEnd ? ' ' : std::to_integer<unsigned>(bytes[at + i]);
    if (sum == (kEnd - kBegin) * ' ') continue;  // a block of zeros, which ends an archive
    char text[8] = {};
    std::snprintf(text, sizeof text, "%06o", sum);
    std::memcpy(bytes.data() + at + kBegin, text, sizeof text);
  }
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto* begin = reinterpret_cast<const std::byte*>(data);
  const std::vector<std::byte> bytes(begin, begin + size);
  for (const auto& tried : {bytes, with_checksums(bytes)}) {
    const plimsoll::ByteSourcePtr archive = plimsoll::memory_source("fuzz", tried);
    walk(*archive, plimsoll::TarReader::Extent::archive);
    walk(*archive, plimsoll::TarReader::Extent::part);
  }
  return 0;
}
