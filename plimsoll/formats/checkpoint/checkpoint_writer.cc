#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/base/printable.h"
#include "plimsoll/formats/checkpoint/checkpoint_file.h"

namespace plimsoll {

static_assert(CheckpointWriter::kPieceBytes == CheckpointLayout::kBlockBytes);

CheckpointWriter::CheckpointWriter(WritableFile& file) : file_(&file) {
  const std::string header = CheckpointLayout::header();
  write(std::as_bytes(std::span(header)));
}

void CheckpointWriter::add(std::string_view name, const Spec& spec,
                           std::span<const std::byte> bytes) {
  const int64_t expected = check(name, spec);
  if (std::cmp_not_equal(bytes.size(), expected))
    throw InvalidArgument(fmt::format("checkpoint: '{}' is {}, which has {} bytes, found {}",
                                      printable(name), spec.to_string(), expected, bytes.size()));
  if (only_counts()) return count(name, spec);
  CheckpointEntry entry{.spec = spec, .offset = size_};
  for (size_t at = 0; at < bytes.size(); at += kPieceBytes)
    write_block(entry, bytes.subspan(at, std::min<size_t>(kPieceBytes, bytes.size() - at)));
  keep(name, std::move(entry));
}

void CheckpointWriter::add(std::string_view name, const Spec& spec, const Read& read) {
  const int64_t bytes = check(name, spec);
  if (only_counts()) return count(name, spec);
  std::vector<std::byte> first(static_cast<size_t>(std::min(kPieceBytes, bytes)));
  if (bytes > 0) read(0, first);
  write_pieces(name, spec, read, std::move(first));
}

void CheckpointWriter::add_once(std::string_view name, const Spec& spec, const Read& read) {
  const int64_t bytes = check(name, spec);
  if (only_counts() || bytes == 0) return add(name, spec, read);
  std::vector<std::byte> first(static_cast<size_t>(std::min(kPieceBytes, bytes)));
  read(0, first);
  const uint64_t key = CheckpointLayout::checksum(first, 0);
  if (const Source* source = same(spec, read, first, key))
    return keep(name, {.spec = spec, .same_as = source->name});
  write_pieces(name, spec, read, std::move(first));
  sources_.emplace(key, Source{std::string(name), spec, read});
}

const CheckpointWriter::Source* CheckpointWriter::same(const Spec& spec, const Read& read,
                                                       std::span<const std::byte> first,
                                                       uint64_t key) const {
  const int64_t bytes = spec.bytes();
  const auto is_same = [&](const Source& source) {
    if (source.spec != spec) return false;
    std::vector<std::byte> other(first.size()), own;
    source.read(0, other);
    if (!std::ranges::equal(first, other)) return false;
    for (int64_t at = kPieceBytes; at < bytes; at += kPieceBytes) {
      own.resize(static_cast<size_t>(std::min(kPieceBytes, bytes - at)));
      other.resize(own.size());
      read(at, own);
      source.read(at, other);
      if (own != other) return false;
    }
    return true;
  };
  const auto [begin, end] = sources_.equal_range(key);
  const auto found = std::find_if(begin, end, [&](const auto& it) { return is_same(it.second); });
  return found == end ? nullptr : &found->second;
}

void CheckpointWriter::write_pieces(std::string_view name, const Spec& spec, const Read& read,
                                    std::vector<std::byte> first) {
  const int64_t bytes = spec.bytes();
  CheckpointEntry entry{.spec = spec, .offset = size_};
  for (int64_t at = 0; at < bytes; at += kPieceBytes) {
    const auto piece =
        std::span(first).first(static_cast<size_t>(std::min(kPieceBytes, bytes - at)));
    if (at > 0) read(at, piece);
    write_block(entry, piece);
  }
  keep(name, std::move(entry));
}

void CheckpointWriter::count(std::string_view name, const Spec& spec) {
  size_ += spec.bytes();
  keep(name, {.spec = spec});
}

void CheckpointWriter::finish() {
  expect_unfinished();
  const std::string index = CheckpointLayout::encode(index_);
  if (std::cmp_greater(index.size(), CheckpointLayout::kMostIndexBytes))
    throw InvalidArgument(fmt::format("checkpoint: its index has {} bytes, at most {} are possible",
                                      index.size(), CheckpointLayout::kMostIndexBytes));
  const auto bytes = std::as_bytes(std::span(index));
  CheckpointFooter footer{.index_offset = size_,
                          .index_bytes = static_cast<int64_t>(bytes.size()),
                          .index_checksum = CheckpointLayout::checksum(bytes, size_)};
  write(bytes);
  footer.file_bytes = size_ + CheckpointLayout::kFooterBytes;
  const std::string end = CheckpointLayout::encode(footer);
  write(std::as_bytes(std::span(end)));
  finished_ = true;
}

void CheckpointWriter::expect_unfinished() const {
  if (finished_) throw InvalidArgument("checkpoint: it is finished, nothing can be added to it");
}

int64_t CheckpointWriter::check(std::string_view name, const Spec& spec) const {
  expect_unfinished();
  const std::string shown = printable(name.substr(0, 100));
  if (!CheckpointLayout::is_name(name))
    throw InvalidArgument(fmt::format(
        "checkpoint: '{}' cannot be the name of an entry (expected 1 to {} bytes of UTF-8)", shown,
        CheckpointLayout::kMostNameBytes));
  if (index_.entries.contains(name))
    throw InvalidArgument(fmt::format("checkpoint: '{}' is added twice", shown));
  if (std::cmp_greater_equal(index_.names.size(), CheckpointLayout::kMostEntries))
    throw InvalidArgument(
        fmt::format("checkpoint: '{}' is one entry more than the {} possible ones", shown,
                    CheckpointLayout::kMostEntries));
  const auto bytes = CheckpointLayout::bytes_of(spec);
  if (!bytes)
    throw InvalidArgument(fmt::format("checkpoint: '{}' cannot be {}", shown, spec.to_string()));
  return *bytes;
}

void CheckpointWriter::write(std::span<const std::byte> bytes) {
  file_->write(bytes);
  size_ += static_cast<int64_t>(bytes.size());
}

void CheckpointWriter::write_block(CheckpointEntry& entry, std::span<const std::byte> bytes) {
  entry.checksums.push_back(CheckpointLayout::checksum(bytes, size_));
  write(bytes);
}

void CheckpointWriter::keep(std::string_view name, CheckpointEntry entry) {
  index_.entries.emplace(name, std::move(entry));
  index_.names.emplace_back(name);
}

}  // namespace plimsoll
