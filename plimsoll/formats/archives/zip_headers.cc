#include "plimsoll/formats/archives/zip_headers.h"

#include <algorithm>

#include "plimsoll/formats/bytes/byte_builder.h"

namespace plimsoll {
namespace {

constexpr int64_t kMost16 = 0xffff, kMost32 = 0xffffffff;  // also: zip64 has the number
constexpr int kPlainVersion = 20, kWideVersion = 45;       // 2.0 knows deflate, 4.5 knows zip64
constexpr int kUnix = 3, kNamesAreUtf8 = 1 << 11;
constexpr int64_t kFirstDate = (1 << 5) | 1;  // 1 January 1980
constexpr int64_t kReadableFile = int64_t{0100644} << 16;

bool is_wide(int64_t number) {
  return number >= kMost32;
}

int64_t narrow(int64_t number) {
  return std::min(number, kMost32);
}

bool has_wide_sizes(const ZipEntry& entry) {
  return is_wide(entry.size) || is_wide(entry.stored_size);
}

std::string wide_field(const std::string& numbers) {
  if (numbers.empty()) return {};
  constexpr int64_t kZip64Field = 1;
  return ByteBuilder().u16(kZip64Field).u16(std::ssize(numbers)).text(numbers).bytes();
}

// From the version that is needed to the length of the name: the same in both headers.
void add_shared_part(ByteBuilder& header, const ZipEntry& entry, bool wide) {
  header.u16(wide ? kWideVersion : kPlainVersion).u16(kNamesAreUtf8).u16(entry.method);
  header.u16(0).u16(kFirstDate).u32(entry.checksum);
}

}  // namespace

std::string zip_local_header(const ZipEntry& entry) {
  // Here both sizes have to be wide if one is.
  const bool wide = has_wide_sizes(entry);
  std::string extra;
  if (wide) extra = wide_field(ByteBuilder().u64(entry.size).u64(entry.stored_size).bytes());
  ByteBuilder header;
  header.u32(0x04034b50);
  add_shared_part(header, entry, wide);
  header.u32(wide ? kMost32 : entry.stored_size).u32(wide ? kMost32 : entry.size);
  header.u16(std::ssize(entry.name)).u16(std::ssize(extra)).text(entry.name).text(extra);
  return header.bytes();
}

std::string zip_central_header(const ZipEntry& entry) {
  ByteBuilder elsewhere;
  for (const int64_t number : {entry.size, entry.stored_size, entry.header_offset})
    if (is_wide(number)) elsewhere.u64(number);
  const std::string extra = wide_field(elsewhere.bytes());
  ByteBuilder header;
  header.u32(0x02014b50).u16(kUnix << 8 | kWideVersion);
  add_shared_part(header, entry, !extra.empty());
  header.u32(narrow(entry.stored_size)).u32(narrow(entry.size));
  header.u16(std::ssize(entry.name)).u16(std::ssize(extra));
  header.u16(0).u16(0).u16(0).u32(kReadableFile).u32(narrow(entry.header_offset));
  header.text(entry.name).text(extra);
  return header.bytes();
}

std::string zip_end(int64_t entries, int64_t directory_offset, int64_t directory_bytes) {
  ByteBuilder end;
  if (entries >= kMost16 || is_wide(directory_offset) || is_wide(directory_bytes)) {
    constexpr int64_t kBytesThatFollow = 44;
    end.u32(0x06064b50).u64(kBytesThatFollow).u16(kUnix << 8 | kWideVersion).u16(kWideVersion);
    end.u32(0).u32(0).u64(entries).u64(entries).u64(directory_bytes).u64(directory_offset);
    end.u32(0x07064b50).u32(0).u64(directory_offset + directory_bytes).u32(1);
  }
  end.u32(0x06054b50).u16(0).u16(0).u16(std::min(entries, kMost16)).u16(std::min(entries, kMost16));
  end.u32(narrow(directory_bytes)).u32(narrow(directory_offset)).u16(0);
  return end.bytes();
}

}  // namespace plimsoll
