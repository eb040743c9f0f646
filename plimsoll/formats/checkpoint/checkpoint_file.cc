#include "plimsoll/formats/checkpoint/checkpoint_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/base/printable.h"

namespace plimsoll {
namespace {

// Every block of an entry is full but the last.
size_t bytes_of_block(const CheckpointEntry& entry, size_t block) {
  const int64_t begin = static_cast<int64_t>(block) * CheckpointLayout::kBlockBytes;
  return static_cast<size_t>(std::min(CheckpointLayout::kBlockBytes, entry.spec.bytes() - begin));
}

}  // namespace

CheckpointFile CheckpointFile::open(const std::string& path, const FileSystem& files) {
  CheckpointFile file(path, files.open(path));
  file.read_index();
  file.verify();
  return file;
}

CheckpointFile::CheckpointFile(std::string path, std::unique_ptr<ReadableFile> file)
    : path_(std::move(path)), file_(std::move(file)), bytes_(file_->size()) {}

void CheckpointFile::read_index() {
  constexpr int64_t kFooterBytes = CheckpointLayout::kFooterBytes;
  constexpr int64_t kLeastBytes = CheckpointLayout::kHeaderBytes + kFooterBytes;
  if (bytes_ < kLeastBytes)
    throw CorruptFile(
        fmt::format("{}: has {} bytes, a checkpoint has at least {}", path_, bytes_, kLeastBytes));
  std::array<std::byte, CheckpointLayout::kHeaderBytes> header{};
  file_->read_at(0, header);
  const int64_t version = CheckpointLayout::check_header(path_, header);
  std::array<std::byte, kFooterBytes> end{};
  file_->read_at(bytes_ - kFooterBytes, end);
  const CheckpointFooter footer = CheckpointLayout::decode_footer(path_, end, bytes_, version);
  std::vector<std::byte> index(static_cast<size_t>(footer.index_bytes));
  file_->read_at(footer.index_offset, index);
  check(index, footer.index_offset, footer.index_checksum, "the index");
  index_ = CheckpointLayout::decode_index(path_, index, footer.index_offset, version);
}

void CheckpointFile::verify() const {
  std::vector<std::byte> buffer(
      static_cast<size_t>(std::min(CheckpointLayout::kBlockBytes, bytes_)));
  for (const auto& [name, entry] : index_.entries) {
    if (!entry.same_as.empty()) continue;  // the other entry is compared
    for (size_t block = 0; block < entry.checksums.size(); ++block)
      read_block(name, entry, block, std::span(buffer).first(bytes_of_block(entry, block)));
  }
}

void CheckpointFile::read_block(std::string_view name, const CheckpointEntry& entry, size_t block,
                                std::span<std::byte> into) const {
  const int64_t at = entry.offset + static_cast<int64_t>(block) * CheckpointLayout::kBlockBytes;
  file_->read_at(at, into);
  check(into, at, entry.checksums[block], name);
}

void CheckpointFile::check(std::span<const std::byte> bytes, int64_t offset, uint64_t expected,
                           std::string_view what) const {
  if (CheckpointLayout::checksum(bytes, offset) != expected)
    throw CorruptFile(fmt::format(
        "{}: bytes {} to {} (of {}) are not those that were written there", path_, offset,
        offset + static_cast<int64_t>(bytes.size()) - 1, printable(what.substr(0, 100))));
}

const CheckpointEntry& CheckpointFile::entry(std::string_view name) const {
  const auto found = index_.entries.find(name);
  if (found == index_.entries.end())
    throw CorruptFile(fmt::format("{}: has no entry '{}'", path_, printable(name.substr(0, 100))));
  return found->second;
}

bool CheckpointFile::has(std::string_view name) const {
  return index_.entries.contains(name);
}

const Spec& CheckpointFile::spec(std::string_view name) const {
  return entry(name).spec;
}

void CheckpointFile::read(std::string_view name, std::span<std::byte> into) const {
  const CheckpointEntry& own = entry(name);
  const CheckpointEntry& stored = own.same_as.empty() ? own : entry(own.same_as);
  if (std::cmp_not_equal(into.size(), own.spec.bytes()))
    throw InvalidArgument(fmt::format("{}: '{}' has {} bytes, expected {}", path_,
                                      printable(name.substr(0, 100)), own.spec.bytes(),
                                      into.size()));
  for (size_t block = 0; block < stored.checksums.size(); ++block)
    read_block(name, stored, block,
               into.subspan(block * CheckpointLayout::kBlockBytes, bytes_of_block(stored, block)));
}

}  // namespace plimsoll
