#include "plimsoll/formats/archives/zip_directory.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/bytes/byte_range.h"

namespace plimsoll {
namespace {

constexpr int64_t kEndBytes = 22, kMaxCommentBytes = 65535, kMaxDirectoryBytes = 256 << 20,
                  kMaxEntries = 1'000'000;
constexpr uint32_t kEnd = 0x06054b50, kEnd64Locator = 0x07064b50, kEnd64 = 0x06064b50,
                   kCentralHeader = 0x02014b50, kLocalHeader = 0x04034b50;
constexpr int64_t kCentralBytes = 46, kLocalBytes = 30;
constexpr uint16_t kZip64Extra = 1;

// A block of little-endian numbers, read by offset; an offset outside of it is refused.
class Block {
 public:
  Block(ByteSource& source, int64_t offset, int64_t size)
      : source_(source), offset_(offset), bytes_(static_cast<size_t>(size)) {
    read_range(source, offset, bytes_, "the directory of the zip archive");
  }

  [[noreturn]] void refuse(const std::string& what, int64_t at) const {
    throw CorruptFile(fmt::format("{}: {} (at byte {})", source_.name(), what, offset_ + at));
  }

  uint64_t number(int64_t at, int64_t width) const {
    check(at, width);
    uint64_t value = 0;
    for (int64_t i = width; i-- > 0;)
      value = value << 8 | std::to_integer<uint64_t>(bytes_[static_cast<size_t>(at + i)]);
    return value;
  }
  int64_t u32(int64_t at) const { return static_cast<int64_t>(number(at, 4)); }
  int64_t u16(int64_t at) const { return static_cast<int64_t>(number(at, 2)); }
  // A length or an offset.
  int64_t u64(int64_t at) const {
    const uint64_t value = number(at, 8);
    if (value >> 62 != 0) refuse("a number in the directory of the zip archive is too large", at);
    return static_cast<int64_t>(value);
  }
  std::string text(int64_t at, int64_t length) const {
    check(at, length);
    return {reinterpret_cast<const char*>(bytes_.data()) + at, static_cast<size_t>(length)};
  }

 private:
  void check(int64_t at, int64_t width) const {
    if (at + width > static_cast<int64_t>(bytes_.size()))
      refuse("the directory of the zip archive ends too early", at);
  }

  ByteSource& source_;
  int64_t offset_;
  std::vector<std::byte> bytes_;
};

struct Directory {
  int64_t offset = 0, bytes = 0, entries = 0;
};

// The last place that has the signature and whose comment reaches exactly to the end of the file.
int64_t find_end(ByteSource& archive) {
  const int64_t tail = std::min(archive.size(), kEndBytes + kMaxCommentBytes);
  const Block block(archive, archive.size() - tail, tail);
  for (int64_t at = tail - kEndBytes; at >= 0; --at)
    if (block.u32(at) == kEnd && at + kEndBytes + block.u16(at + 20) == tail)
      return archive.size() - tail + at;
  throw CorruptFile(
      fmt::format("{}: is not a zip archive, or its end is missing (it ends at byte {})",
                  archive.name(), archive.size()));
}

std::optional<Directory> zip64_directory(ByteSource& archive, int64_t end) {
  constexpr int64_t kLocatorBytes = 20, kRecordBytes = 56;
  if (end < kLocatorBytes) return std::nullopt;
  const Block locator(archive, end - kLocatorBytes, kLocatorBytes);
  if (locator.u32(0) != kEnd64Locator) return std::nullopt;
  const Block record(archive, locator.u64(8), kRecordBytes);
  if (record.u32(0) != kEnd64) record.refuse("has no zip64 record where one should be", 0);
  return Directory{record.u64(48), record.u64(40), record.u64(32)};
}

Directory find_directory(ByteSource& archive) {
  const int64_t at = find_end(archive);
  const Block end(archive, at, kEndBytes);
  Directory directory{end.u32(16), end.u32(12), end.u16(10)};
  if (const auto wide = zip64_directory(archive, at)) directory = *wide;
  if (directory.bytes > kMaxDirectoryBytes || directory.entries > directory.bytes / kCentralBytes)
    end.refuse("the directory of the zip archive has an impossible size", 10);
  if (directory.entries > kMaxEntries)
    throw CorruptFile(fmt::format("{}: has {} entries; at most {} are read", archive.name(),
                                  directory.entries, kMaxEntries));
  return directory;
}

// Numbers that 32 bits do not hold are in the extra field of zip64, in this order, and only those.
void read_wide_numbers(const Block& block, int64_t begin, int64_t bytes, ZipEntry& entry) {
  constexpr int64_t kElsewhere = 0xffffffff;
  for (int64_t extra = begin; extra + 4 <= begin + bytes; extra += 4 + block.u16(extra + 2)) {
    if (block.u16(extra) != kZip64Extra) continue;
    int64_t at = extra + 4;
    for (int64_t* number : {&entry.size, &entry.stored_size, &entry.header_offset}) {
      if (*number != kElsewhere || at + 8 > extra + 4 + block.u16(extra + 2)) continue;
      *number = block.u64(at);
      at += 8;
    }
    return;
  }
}

}  // namespace

std::vector<ZipEntry> read_zip_directory(ByteSource& archive) {
  const Directory directory = find_directory(archive);
  const Block block(archive, directory.offset, directory.bytes);
  std::vector<ZipEntry> entries;
  int64_t at = 0;
  for (int64_t i = 0; i < directory.entries; ++i) {
    if (block.u32(at) != kCentralHeader) block.refuse("has no zip entry where one should be", at);
    const int64_t name_bytes = block.u16(at + 28), extra_bytes = block.u16(at + 30);
    ZipEntry entry{.name = block.text(at + kCentralBytes, name_bytes),
                   .size = block.u32(at + 24),
                   .stored_size = block.u32(at + 20),
                   .compressed = block.u16(at + 10) != 0,
                   .encrypted = (block.u16(at + 8) & 1) != 0,
                   .method = static_cast<int>(block.u16(at + 10)),
                   .checksum = static_cast<uint32_t>(block.u32(at + 16)),
                   .header_offset = block.u32(at + 42)};
    read_wide_numbers(block, at + kCentralBytes + name_bytes, extra_bytes, entry);
    entries.push_back(std::move(entry));
    at += kCentralBytes + name_bytes + extra_bytes + block.u16(at + 32);
  }
  return entries;
}

int64_t zip_contents_offset(ByteSource& archive, int64_t header) {
  const Block block(archive, header, kLocalBytes);
  if (block.u32(0) != kLocalHeader) block.refuse("has no zip entry where one should begin", 0);
  return header + kLocalBytes + block.u16(26) + block.u16(28);
}

}  // namespace plimsoll
