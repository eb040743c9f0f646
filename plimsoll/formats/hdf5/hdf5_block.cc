#include "plimsoll/formats/hdf5/hdf5_block.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "plimsoll/base/bytes.h"
#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

// Groups, headers and attributes; tensors are not among them.
constexpr uint64_t kMaxMetadataBytes = uint64_t{1} << 30;

}  // namespace

Hdf5Block::Hdf5Block(std::string file, std::string what, uint64_t address,
                     std::vector<std::byte> bytes)
    : file_(std::move(file)), what_(std::move(what)), address_(address), bytes_(std::move(bytes)) {}

uint64_t Hdf5Block::number(size_t size) {
  if (left() < size) refuse("ends too early");
  uint64_t value = 0;
  for (size_t i = size; i-- > 0;) value = value << 8 | std::to_integer<uint64_t>(bytes_[at_ + i]);
  at_ += size;
  return value;
}

void Hdf5Block::skip(size_t size) {
  if (left() < size) refuse("ends too early");
  at_ += size;
}

void Hdf5Block::skip_padding() {
  at_ = std::min((at_ + 7) / 8 * 8, bytes_.size());
}

std::string Hdf5Block::text(size_t size) {
  if (left() < size) refuse("ends too early");
  const char* begin = reinterpret_cast<const char*>(bytes_.data() + at_);
  at_ += size;
  return {begin, size};
}

Hdf5Block Hdf5Block::part(size_t size, const std::string& what) {
  const uint64_t begin = address();
  if (left() < size) refuse("ends too early");
  const auto first = bytes_.begin() + static_cast<ptrdiff_t>(at_);
  at_ += size;
  return {file_, what, begin, {first, first + static_cast<ptrdiff_t>(size)}};
}

std::string Hdf5Block::text_at(uint64_t offset) const {
  if (offset >= bytes_.size()) refuse(fmt::format("has no name at {}", offset));
  const auto begin = bytes_.begin() + static_cast<ptrdiff_t>(offset);
  const auto end = std::find(begin, bytes_.end(), std::byte{0});
  if (end == bytes_.end()) refuse("has a name without end");
  return {reinterpret_cast<const char*>(&*begin), static_cast<size_t>(end - begin)};
}

void Hdf5Block::expect_signature(std::string_view signature) {
  if (text(signature.size()) != signature)
    refuse("does not begin with '" + std::string(signature) + "'");
}

void Hdf5Block::expect(size_t size, uint64_t value, const char* name) {
  if (const uint64_t found = number(size); found != value)
    refuse(fmt::format("has {} {}, expected {}", name, found, value));
}

void Hdf5Block::refuse(const std::string& why) const {
  throw CorruptFile(fmt::format("{}: {} {} (at byte {})", file_, what_, why, address()));
}

void Hdf5Space::claim(uint64_t address, uint64_t size, const std::string& what) {
  check_range(*source_, address, size, what);
  if (size == 0) return;
  const uint64_t end = address + size;
  const auto next = claimed_.lower_bound(address);
  const bool meets_next = next != claimed_.end() && next->first < end;
  const bool meets_last = next != claimed_.begin() && std::prev(next)->second > address;
  if (meets_next || meets_last)
    throw CorruptFile(
        fmt::format("{}: {} overlaps something else at byte {}", source_->name(), what, address));
  claimed_.emplace_hint(next, address, end);
}

Hdf5Block Hdf5Space::read(uint64_t address, uint64_t size, const std::string& what) {
  claim(address, size, what);
  metadata_bytes_ += size;
  if (metadata_bytes_ > kMaxMetadataBytes)
    throw CorruptFile(source_->name() + ": has more than " +
                      format_bytes(static_cast<int64_t>(kMaxMetadataBytes)) +
                      " of groups and attributes");
  std::vector<std::byte> bytes(size);
  source_->read_at(static_cast<int64_t>(address), bytes);
  return {source_->name(), what, address, std::move(bytes)};
}

}  // namespace plimsoll
