// Any bytes are either a checkpoint, every entry of which can be read, or a CorruptFile. They are
// tried as they are, and again with the checksums of index and footer mended: without that, nothing
// but the comparison of checksums would be reached.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/checkpoint/checkpoint_file.h"

namespace {

using plimsoll::CheckpointLayout;
using Bytes = std::vector<std::byte>;

class MemoryFile final : public plimsoll::ReadableFile {
 public:
  explicit MemoryFile(const Bytes& bytes) : bytes_(bytes) {}
  int64_t size() const override { return static_cast<int64_t>(bytes_.size()); }
  void read_at(int64_t offset, std::span<std::byte> into) const override {
    // The reader knows the size: it must not ask for more.
    if (offset < 0 || offset > size() || std::cmp_greater(into.size(), size() - offset)) abort();
    std::copy_n(bytes_.begin() + offset, into.size(), into.begin());
  }

 private:
  const Bytes& bytes_;
};

// Has one file, by any name, and can only be read.
class OneFile final : public plimsoll::FileSystem {
 public:
  explicit OneFile(const Bytes& bytes) : bytes_(bytes) {}
  std::unique_ptr<plimsoll::ReadableFile> open(const std::string&) const override {
    return std::make_unique<MemoryFile>(bytes_);
  }
  std::unique_ptr<plimsoll::WritableFile> create(const std::string&) override { abort(); }
  void rename(const std::string&, const std::string&) override { abort(); }
  void remove(const std::string&) override { abort(); }
  std::vector<std::string> list(const std::string&) const override { abort(); }
  void make_folder(const std::string&) override { abort(); }
  void sync_folder(const std::string&) override { abort(); }

 private:
  const Bytes& bytes_;
};

void read_all(const Bytes& bytes) {
  try {
    const auto file = plimsoll::CheckpointFile::open("fuzz", OneFile(bytes));
    for (const std::string& name : file.names()) {
      Bytes values(static_cast<size_t>(file.spec(name).bytes()));
      file.read(name, values);
    }
  } catch (const plimsoll::CorruptFile&) {
  }
}

// The first number of the footer says where the index begins, if it can.
void mend(Bytes& bytes) {
  const auto size = static_cast<int64_t>(bytes.size());
  const int64_t end = size - CheckpointLayout::kFooterBytes;
  if (end < CheckpointLayout::kHeaderBytes) return;
  uint64_t begin = 0;
  for (int i = 7; i >= 0; --i)
    begin = begin << 8 | std::to_integer<uint64_t>(bytes[static_cast<size_t>(end + i)]);
  const auto offset = static_cast<int64_t>(begin % static_cast<uint64_t>(end + 1));
  const std::span<const std::byte> index(bytes.data() + offset, bytes.data() + end);
  // Both versions are read.
  const int64_t version = std::to_integer<int>(bytes[8]) == 1 ? 1 : CheckpointLayout::kVersion;
  const std::string footer = CheckpointLayout::encode(
      plimsoll::CheckpointFooter{.version = version,
                                 .index_offset = offset,
                                 .index_bytes = end - offset,
                                 .index_checksum = CheckpointLayout::checksum(index, offset),
                                 .file_bytes = size});
  std::ranges::copy(std::as_bytes(std::span(footer)), bytes.begin() + end);
  const std::string header = CheckpointLayout::header(version);
  std::ranges::copy(std::as_bytes(std::span(header)), bytes.begin());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto* begin = reinterpret_cast<const std::byte*>(data);
  Bytes bytes(begin, begin + size);
  read_all(bytes);
  mend(bytes);
  read_all(bytes);
  return 0;
}
