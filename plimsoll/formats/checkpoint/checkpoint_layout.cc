#include "plimsoll/formats/checkpoint/checkpoint_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/base/printable.h"
#include "plimsoll/base/xxh3.h"
#include "plimsoll/formats/bytes/byte_builder.h"

namespace plimsoll {
namespace {

static_assert(std::endian::native == std::endian::little, "elements are written as they are");

constexpr std::string_view kMagic = "PLIMCKPT";
constexpr std::string_view kEndMagic = "PLIMCEND";
// Is added to the element type of a reference.
constexpr int64_t kReference = 128;

// An element type is its place in this list; new ones are added at the end.
constexpr std::array kDTypes = {DType::float32, DType::int32,   DType::int64,
                                DType::uint8,   DType::boolean, DType::string};

int64_t code_of(DType dtype) {
  return std::ranges::find(kDTypes, dtype) - kDTypes.begin();
}

// Numbers and texts, read from front to back; none is taken that is not there.
class CheckpointCursor {
 public:
  CheckpointCursor(const std::string& path, std::span<const std::byte> bytes)
      : path_(path), bytes_(bytes) {}

  size_t left() const { return bytes_.size(); }

  uint64_t number(size_t width) {
    uint64_t value = 0;
    const auto bytes = take(width);
    for (size_t i = width; i-- > 0;) value = value << 8 | std::to_integer<uint64_t>(bytes[i]);
    return value;
  }

  std::string text(size_t size) {
    const auto bytes = take(size);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

  [[noreturn]] void refuse(const std::string& why) const { throw CorruptFile(path_ + ": " + why); }

 private:
  std::span<const std::byte> take(size_t size) {
    if (size > bytes_.size()) refuse("the index ends in the middle of an entry");
    const auto taken = bytes_.first(size);
    bytes_ = bytes_.subspan(size);
    return taken;
  }

  const std::string& path_;
  std::span<const std::byte> bytes_;
};

Shape decode_shape(CheckpointCursor& cursor, const std::string& name) {
  const uint64_t rank = cursor.number(1);
  if (rank > Shape::kMaxRank)
    cursor.refuse(
        fmt::format("'{}' has {} dimensions, at most {} are read", name, rank, Shape::kMaxRank));
  Shape shape;
  for (uint64_t i = 0; i < rank; ++i) shape.push_back(static_cast<int64_t>(cursor.number(8)));
  return shape;
}

Spec decode_spec(CheckpointCursor& cursor, const std::string& name, uint64_t dtype) {
  if (dtype >= kDTypes.size())
    cursor.refuse(fmt::format("'{}' has element type {}, which is not known", name, dtype));
  return {.dtype = kDTypes[dtype], .shape = decode_shape(cursor, name)};
}

void keep_entry(CheckpointCursor& cursor, CheckpointIndex& index, const std::string& name,
                CheckpointEntry entry) {
  if (!index.entries.emplace(name, std::move(entry)).second)
    cursor.refuse(fmt::format("two entries are named '{}'", printable(name.substr(0, 100))));
  index.names.push_back(name);
}

// Its bytes are those of an entry before it, which is no reference: so there is always one, and
// nothing goes round in a circle.
CheckpointEntry decode_reference(CheckpointCursor& cursor, const CheckpointIndex& index,
                                 const std::string& name, const Spec& spec) {
  const std::string target = cursor.text(cursor.number(2));
  const auto found = index.entries.find(target);
  if (found == index.entries.end() || !found->second.same_as.empty())
    cursor.refuse(fmt::format("'{}' has the bytes of '{}', which is no entry with bytes before it",
                              name, printable(target.substr(0, 100))));
  if (found->second.spec != spec)
    cursor.refuse(fmt::format("'{}' is {} and has the bytes of '{}', which is {}", name,
                              spec.to_string(), printable(target.substr(0, 100)),
                              found->second.spec.to_string()));
  return {.spec = spec, .same_as = target};
}

// `begin` is where the bytes before it end, `end` where the bytes of all entries end. Returns
// where its own end.
int64_t decode_entry(CheckpointCursor& cursor, CheckpointIndex& index, int64_t begin, int64_t end,
                     int64_t version) {
  const std::string stored_name = cursor.text(cursor.number(2));
  const std::string name = printable(stored_name.substr(0, 100));
  if (!CheckpointLayout::is_name(stored_name))
    cursor.refuse(fmt::format("'{}' cannot be the name of an entry", name));
  const uint64_t dtype = cursor.number(1);
  const bool is_reference = version > 1 && std::cmp_greater_equal(dtype, kReference);
  CheckpointEntry entry{
      .spec = decode_spec(cursor, name, is_reference ? dtype - kReference : dtype),
      .offset = begin};
  if (is_reference) {
    keep_entry(cursor, index, stored_name, decode_reference(cursor, index, name, entry.spec));
    return begin;
  }
  const auto expected = CheckpointLayout::bytes_of(entry.spec);
  const uint64_t offset = cursor.number(8), length = cursor.number(8);
  if (!expected || length != static_cast<uint64_t>(*expected))
    cursor.refuse(fmt::format("'{}' is {} in {} bytes", name, entry.spec.to_string(), length));
  if (offset != static_cast<uint64_t>(begin) || *expected > end - begin)
    cursor.refuse(fmt::format("'{}' has {} bytes from byte {} on, expected them between {} and {}",
                              name, length, offset, begin, end));
  constexpr auto kBlockBytes = static_cast<uint64_t>(CheckpointLayout::kBlockBytes);
  const uint64_t blocks = (length + kBlockBytes - 1) / kBlockBytes;
  if (blocks > cursor.left() / 8) cursor.refuse("the index ends in the middle of an entry");
  for (uint64_t i = 0; i < blocks; ++i) entry.checksums.push_back(cursor.number(8));
  keep_entry(cursor, index, stored_name, std::move(entry));
  return begin + *expected;
}

// The checksum covers the header too.
uint64_t footer_checksum(std::string_view footer, int64_t file_bytes, int64_t version) {
  const std::string covered = CheckpointLayout::header(version) + std::string(footer);
  return CheckpointLayout::checksum(std::as_bytes(std::span(covered)),
                                    file_bytes - CheckpointLayout::kFooterBytes);
}

}  // namespace

std::string CheckpointLayout::header(int64_t version) {
  return ByteBuilder().text(kMagic).u32(version).u32(kBlockBytes).bytes();
}

int64_t CheckpointLayout::check_header(const std::string& path, std::span<const std::byte> bytes) {
  CheckpointCursor cursor(path, bytes);
  if (cursor.text(kMagic.size()) != kMagic)
    cursor.refuse("is not a checkpoint: it begins with other bytes");
  const uint64_t version = cursor.number(4);
  if (version < 1 || std::cmp_greater(version, kVersion))
    cursor.refuse(fmt::format("is a checkpoint of version {}, this program reads versions 1 to {}",
                              version, kVersion));
  if (const uint64_t size = cursor.number(4); size != kBlockBytes)
    cursor.refuse(fmt::format("has blocks of {} bytes, expected {}", size, kBlockBytes));
  return static_cast<int64_t>(version);
}

std::string CheckpointLayout::encode(const CheckpointFooter& footer) {
  ByteBuilder bytes;
  bytes.u64(footer.index_offset).u64(footer.index_bytes);
  bytes.u64(static_cast<int64_t>(footer.index_checksum)).u64(footer.file_bytes);
  const uint64_t sum = footer_checksum(bytes.bytes(), footer.file_bytes, footer.version);
  return bytes.u64(static_cast<int64_t>(sum)).text(kEndMagic).bytes();
}

CheckpointFooter CheckpointLayout::decode_footer(const std::string& path,
                                                 std::span<const std::byte> bytes,
                                                 int64_t file_bytes, int64_t version) {
  CheckpointCursor cursor(path, bytes);
  const uint64_t index_offset = cursor.number(8), index_bytes = cursor.number(8);
  const uint64_t index_checksum = cursor.number(8), total_bytes = cursor.number(8);
  const uint64_t stored_checksum = cursor.number(8);
  if (cursor.text(kEndMagic.size()) != kEndMagic)
    cursor.refuse("does not end as a checkpoint does: it was cut off, or bytes were added to it");
  const auto numbers = bytes.first(4 * sizeof(uint64_t));
  const std::string_view covered(reinterpret_cast<const char*>(numbers.data()), numbers.size());
  if (footer_checksum(covered, file_bytes, version) != stored_checksum)
    cursor.refuse("its last bytes are not those that were written there");
  const auto end = static_cast<uint64_t>(file_bytes - kFooterBytes);
  if (total_bytes != static_cast<uint64_t>(file_bytes))
    cursor.refuse(fmt::format("has {} bytes, {} were written", file_bytes, total_bytes));
  if (index_offset < kHeaderBytes || index_offset > end || index_bytes != end - index_offset)
    cursor.refuse(fmt::format("has an index of {} bytes at byte {}, expected it to end at byte {}",
                              index_bytes, index_offset, end));
  if (index_bytes > kMostIndexBytes)
    cursor.refuse(
        fmt::format("has an index of {} bytes, at most {} are read", index_bytes, kMostIndexBytes));
  return {.version = version,
          .index_offset = static_cast<int64_t>(index_offset),
          .index_bytes = static_cast<int64_t>(index_bytes),
          .index_checksum = index_checksum,
          .file_bytes = file_bytes};
}

std::string CheckpointLayout::encode(const CheckpointIndex& index) {
  ByteBuilder bytes;
  bytes.u32(static_cast<int64_t>(index.names.size()));
  for (const std::string& name : index.names) {
    const CheckpointEntry& entry = index.entries.at(name);
    bytes.u16(static_cast<int64_t>(name.size())).text(name);
    bytes.u8(code_of(entry.spec.dtype) + (entry.same_as.empty() ? 0 : kReference));
    bytes.u8(entry.spec.shape.rank());
    for (const int64_t size : entry.spec.shape) bytes.u64(size);
    if (!entry.same_as.empty()) {
      bytes.u16(static_cast<int64_t>(entry.same_as.size())).text(entry.same_as);
      continue;
    }
    bytes.u64(entry.offset).u64(entry.spec.bytes());
    for (const uint64_t sum : entry.checksums) bytes.u64(static_cast<int64_t>(sum));
  }
  return std::move(bytes).bytes();
}

CheckpointIndex CheckpointLayout::decode_index(const std::string& path,
                                               std::span<const std::byte> bytes, int64_t end,
                                               int64_t version) {
  CheckpointCursor cursor(path, bytes);
  CheckpointIndex index;
  const uint64_t count = cursor.number(4);
  if (count > kMostEntries)
    cursor.refuse(fmt::format("has {} entries, at most {} are read", count, kMostEntries));
  int64_t at = kHeaderBytes;
  for (uint64_t i = 0; i < count; ++i) at = decode_entry(cursor, index, at, end, version);
  if (at != end)
    cursor.refuse(fmt::format("its entries end at byte {}, its index begins at {}", at, end));
  if (cursor.left() != 0) cursor.refuse("the index is longer than its entries");
  return index;
}

uint64_t CheckpointLayout::checksum(std::span<const std::byte> bytes, int64_t offset) {
  return xxh3_checksum(bytes, static_cast<uint64_t>(offset));
}

bool CheckpointLayout::is_name(std::string_view name) {
  return !name.empty() && name.size() <= kMostNameBytes && valid_utf8(name) == name;
}

std::optional<int64_t> CheckpointLayout::bytes_of(const Spec& spec) {
  constexpr int64_t kMostElements = int64_t{1} << 48;
  // Sizes of 0 are left out: the others must be in bounds too, because code multiplies some of
  // them.
  int64_t product = 1;
  for (const int64_t size : spec.shape) {
    if (size < 0 || size > kMostElements / product) return std::nullopt;
    product *= std::max<int64_t>(size, 1);
  }
  return spec.bytes();
}

}  // namespace plimsoll
