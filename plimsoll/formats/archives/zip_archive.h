// Reading of zip archives, which may hold anything: names, sizes and methods are checked before an
// entry is read, contents against their checksum. All of it may be used by several threads.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/formats/archives/zip_directory.h"

namespace plimsoll {

class ZipArchive {
 public:
  // Throws CorruptFile if the archive is damaged, has a name twice, or has one that leads out of a
  // folder ("../a", "/a").
  explicit ZipArchive(ByteSourcePtr bytes);
  explicit ZipArchive(const std::string& path);

  const std::string& name() const { return bytes_->name(); }
  const std::vector<ZipEntry>& entries() const { return entries_; }
  bool has(std::string_view entry) const;

  // Each of these throws CorruptFile, naming the entry, if it is missing, encrypted, compressed
  // by another method than deflate, larger than a compression can make it, or damaged.

  // The contents; an entry of more than `max_bytes` is refused.
  std::string read(std::string_view entry, int64_t max_bytes) const;
  // The contents of an entry of entries(), of less than 2 GiB, which fill `into`.
  void read_into(const ZipEntry& entry, std::span<std::byte> into) const;
  // Gives the contents to `sink`, a piece at a time.
  using Sink = std::function<void(std::span<const std::byte>)>;
  void stream(std::string_view entry, const Sink& sink) const;
  // The contents at any place. A stored entry is read in place, after one pass over it that checks
  // it; a compressed one is expanded into a file without a name in `folder`.
  ByteSourcePtr open(std::string_view entry, const std::string& folder) const;
  // The contents of a stored entry at any place, without that pass.
  ByteSourcePtr open_unchecked(std::string_view entry) const;

 private:
  const ZipEntry& find(std::string_view entry) const;
  void check(const ZipEntry& entry) const;
  [[noreturn]] void refuse(const std::string& entry, const std::string& why) const;

  ByteSourcePtr bytes_;
  std::vector<ZipEntry> entries_;
};

}  // namespace plimsoll
