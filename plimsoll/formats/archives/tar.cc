#include "plimsoll/formats/archives/tar.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <span>
#include <string_view>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

constexpr int64_t kBlock = 512;
constexpr int64_t kMaxNameBytes = 1 << 16, kMaxPaxBytes = 1 << 20;

using Header = std::span<const std::byte>;

std::string_view text_of(Header bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// A field of text ends with a zero byte, or with the field.
std::string_view text_in(Header header, size_t begin, size_t size) {
  const std::string_view text = text_of(header.subspan(begin, size));
  return text.substr(0, text.find('\0'));
}

// Octal digits, or GNU's binary numbers, which are marked by the first bit.
std::optional<int64_t> number_in(Header header, size_t begin, size_t size) {
  const Header field = header.subspan(begin, size);
  if (field[0] == std::byte{0x80}) {
    uint64_t value = 0;
    for (size_t i = 1; i < size; ++i) {
      if (value >> 55 != 0) return std::nullopt;
      value = value << 8 | std::to_integer<uint64_t>(field[i]);
    }
    return static_cast<int64_t>(value);
  }
  std::string_view digits = text_in(header, begin, size);
  while (digits.starts_with(' ')) digits.remove_prefix(1);
  while (digits.ends_with(' ')) digits.remove_suffix(1);
  if (digits.empty()) return 0;
  int64_t value = 0;
  const char* end = digits.data() + digits.size();
  const auto [parsed, error] = std::from_chars(digits.data(), end, value, 8);
  if (error != std::errc() || parsed != end || value < 0) return std::nullopt;
  return value;
}

// The sum of all bytes, those of the checksum taken for spaces. Some old writers added signed ones.
bool has_valid_checksum(Header header) {
  int64_t plain = 0, with_sign = 0;
  for (size_t i = 0; i < header.size(); ++i) {
    const auto byte = i >= 148 && i < 156 ? ' ' : std::to_integer<unsigned char>(header[i]);
    plain += byte;
    with_sign += static_cast<signed char>(byte);
  }
  const auto stored = number_in(header, 148, 8);
  return stored && (*stored == plain || *stored == with_sign);
}

bool is_zero(Header header) {
  return std::ranges::all_of(header, [](std::byte b) { return b == std::byte{0}; });
}

std::string name_in(Header header) {
  const std::string name(text_in(header, 0, 100));
  const std::string_view prefix = text_in(header, 345, 155);
  if (text_of(header.subspan(257, 6)) != std::string_view("ustar\0", 6) || prefix.empty())
    return name;
  return std::string(prefix) + "/" + name;
}

std::string_view compression_of(Header start) {
  const std::string_view text = text_of(start);
  if (text.starts_with("\x1f\x8b")) return "gzip";
  if (text.starts_with("BZh")) return "bzip2";
  if (text.starts_with("\xfd"
                       "7zXZ"))
    return "xz";
  if (text.starts_with("\x28\xb5\x2f\xfd")) return "zstd";
  return {};
}

}  // namespace

TarReader::TarReader(ByteSource& source, Extent extent)
    : source_(source), reader_(source), extent_(extent) {}

void TarReader::refuse(const std::string& what) const {
  throw CorruptFile(fmt::format("{}: {} (at byte {})", source_.name(), what, at_));
}

bool TarReader::next() {
  while (!is_at_end()) {
    const char type = read_member();
    if (type == 'S') refuse("'" + member_.name + "' is a sparse file, which is not read");
    if (type == '0' || type == '\0' || type == '7') return true;
  }
  return false;
}

bool TarReader::is_at_end() {
  if (extent_ == Extent::part && at_ == source_.size()) return true;
  if (source_.size() - at_ < kBlock) {
    if (at_ == 0) refuse(fmt::format("is not a tar archive: it has {} bytes", source_.size()));
    refuse("is cut off: the blocks of zeros that end a tar archive are missing");
  }
  return is_zero(reader_.read(at_, kBlock));
}

// Reads the headers of one member, of any type.
char TarReader::read_member() {
  Extensions given;
  const int64_t begin = at_;
  while (true) {
    const char type = read_header(given);
    if (type == 'L') {
      given.name = read_text(kMaxNameBytes);
      given.name = given.name.substr(0, given.name.find('\0'));
    } else if (type == 'x') {
      read_pax(read_text(kMaxPaxBytes), given);
    } else if (type != 'K' && type != 'g') {
      at_ = member_.end;
      member_.begin = begin;
      return type;
    }
    at_ = member_.end;
    if (source_.size() - at_ < kBlock) refuse("is cut off after the long name of a member");
  }
}

// Reads the header at at_.
char TarReader::read_header(const Extensions& given) {
  const Header header = reader_.read(at_, kBlock);
  const std::string_view compression = at_ == 0 ? compression_of(header) : std::string_view();
  if (!compression.empty())
    refuse("is compressed (" + std::string(compression) +
           "), so no member can be read by itself; expand it, or write plain tar archives");
  if (!has_valid_checksum(header))
    refuse(at_ == 0 ? "is not a tar archive" : "is damaged: the checksum of a header is wrong");
  const auto size = number_in(header, 124, 12);
  if (!size) refuse("is damaged: the size of a member is not a number");
  const char type = text_of(header)[156];
  const bool is_extension = type == 'L' || type == 'K' || type == 'x' || type == 'g';
  const bool is_renamed = !is_extension && !given.name.empty();
  member_.name = is_renamed ? given.name : name_in(header);
  // Links and folders have no contents, whatever they say.
  const bool is_empty = type >= '1' && type <= '6';
  set_extent(is_empty ? 0 : !is_extension && given.size >= 0 ? given.size : *size);
  return type;
}

void TarReader::set_extent(int64_t size) {
  member_.offset = at_ + kBlock;
  member_.size = size;
  const int64_t there = source_.size() - member_.offset;
  if (size > there)
    refuse(fmt::format("is cut off: '{}' is said to have {} bytes, {} are there", member_.name,
                       size, there));
  const int64_t padded = (size + kBlock - 1) / kBlock * kBlock;
  member_.end = member_.offset + std::min(padded, there);
}

std::string TarReader::read_text(int64_t most) {
  if (member_.size > most)
    refuse(
        fmt::format("has a name or header of {} bytes, at most {} are read", member_.size, most));
  return std::string(text_of(reader_.read(member_.offset, member_.size)));
}

// Records "LENGTH KEY=VALUE\n", the length that of the whole record.
void TarReader::read_pax(const std::string& records, Extensions& into) const {
  std::string_view rest = records;
  while (!rest.empty() && rest[0] != '\0') {
    size_t length = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), length);
    const auto digits = static_cast<size_t>(end - rest.data());
    if (error != std::errc() || length > rest.size() || length < digits + 3 ||
        rest[digits] != ' ' || rest[length - 1] != '\n')
      refuse("is damaged: a pax header is malformed");
    const std::string_view record = rest.substr(digits + 1, length - digits - 2);
    rest.remove_prefix(length);
    const std::string_view key = record.substr(0, record.find('='));
    const std::string_view value = record.substr(std::min(key.size() + 1, record.size()));
    if (key == "path") into.name = value.substr(0, value.find('\0'));
    if (key.starts_with("GNU.sparse")) refuse("has a sparse file, which is not read");
    if (key != "size") continue;
    const auto [parsed, bad] =
        std::from_chars(value.data(), value.data() + value.size(), into.size);
    if (bad != std::errc() || parsed != value.data() + value.size() || into.size < 0)
      refuse("is damaged: the size in a pax header is not a number");
  }
}

}  // namespace plimsoll
