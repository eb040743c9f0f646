// A checkpoint: named entries of bytes, each with its element type and shape, every block of them
// with a checksum. docs/formats/checkpoint.md has the bytes.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/base/file_system.h"
#include "plimsoll/formats/checkpoint/checkpoint_layout.h"
#include "plimsoll/tensor/spec.h"

namespace plimsoll {

class CheckpointWriter {
 public:
  using Read = std::function<void(int64_t offset, std::span<std::byte> piece)>;

  // Writes the beginning of the file, which must outlive the writer.
  explicit CheckpointWriter(WritableFile& file);
  // Writes nothing and reads nothing: bytes() tells how much it would be at most.
  CheckpointWriter() = default;
  CheckpointWriter(const CheckpointWriter&) = delete;
  CheckpointWriter& operator=(const CheckpointWriter&) = delete;

  // InvalidArgument where the name was added before, or where there are more or fewer bytes than
  // the spec says.
  void add(std::string_view name, const Spec& spec, std::span<const std::byte> bytes);
  // The same, for bytes that are not in memory: `read` fills the piece that begins at the offset.
  // Takes a buffer of no more than kPieceBytes.
  void add(std::string_view name, const Spec& spec, const Read& read);
  // The same; if an earlier entry that was added by this function has the same spec and bytes, only
  // its name is stored. `read` is called until finish(). Takes up to three buffers of kPieceBytes.
  void add_once(std::string_view name, const Spec& spec, const Read& read);
  // Writes the end; nothing may be added after it. The caller syncs.
  void finish();

  bool only_counts() const { return file_ == nullptr; }
  // What was written; of one that only counts, without the end.
  int64_t bytes() const { return size_; }

  static constexpr int64_t kPieceBytes = int64_t{1} << 18;

 private:
  struct Source {
    std::string name;
    Spec spec;
    Read read;
  };

  void expect_unfinished() const;
  // The bytes of an entry that may be added; throws InvalidArgument otherwise.
  int64_t check(std::string_view name, const Spec& spec) const;
  void write(std::span<const std::byte> bytes);
  void write_block(CheckpointEntry& entry, std::span<const std::byte> bytes);
  void keep(std::string_view name, CheckpointEntry entry);
  void count(std::string_view name, const Spec& spec);
  // `first` is filled with the first piece already.
  void write_pieces(std::string_view name, const Spec& spec, const Read& read,
                    std::vector<std::byte> first);
  // The entry that has these bytes, of which `first` are the first; null if there is none.
  const Source* same(const Spec& spec, const Read& read, std::span<const std::byte> first,
                     uint64_t key) const;

  WritableFile* file_ = nullptr;  // null: it only counts
  int64_t size_ = 0;              // of what is written
  CheckpointIndex index_;
  std::multimap<uint64_t, Source> sources_;  // by the checksum of the first piece
  bool finished_ = false;
};

// One that is whole: opening reads all of it once and compares every checksum.
class CheckpointFile {
 public:
  // CorruptFile, which begins with the path, where it is not a whole checkpoint; IoError if it
  // cannot be read.
  static CheckpointFile open(const std::string& path, const FileSystem& files = real_file_system());

  bool has(std::string_view name) const;
  // CorruptFile if there is none of that name.
  const Spec& spec(std::string_view name) const;
  // Fills `into`, which has the size of the entry, and compares the checksums again.
  void read(std::string_view name, std::span<std::byte> into) const;
  // In the order in which they were added.
  const std::vector<std::string>& names() const { return index_.names; }
  const std::string& path() const { return path_; }
  int64_t bytes() const { return bytes_; }  // of the file

 private:
  CheckpointFile(std::string path, std::unique_ptr<ReadableFile> file);
  void read_index();
  void verify() const;
  void read_block(std::string_view name, const CheckpointEntry& entry, size_t block,
                  std::span<std::byte> into) const;
  void check(std::span<const std::byte> bytes, int64_t offset, uint64_t expected,
             std::string_view what) const;
  const CheckpointEntry& entry(std::string_view name) const;

  std::string path_;
  std::unique_ptr<ReadableFile> file_;
  int64_t bytes_;
  CheckpointIndex index_;
};

}  // namespace plimsoll
