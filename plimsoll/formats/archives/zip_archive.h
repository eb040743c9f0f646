// Reading of zip archives, which may hold anything: names, sizes and methods are checked before an
// entry is touched, contents against their checksum.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/formats/bytes/byte_source.h"

struct zip;
struct zip_file;

namespace plimsoll {

class ZipBytes;

struct ZipEntry {
  std::string name;
  int64_t size = 0;         // of its contents
  int64_t stored_size = 0;  // in the archive
  bool compressed = false;
};

class ZipArchive {
 public:
  // Throws CorruptFile where the archive is damaged, or has a name twice or one that leads out of a
  // folder ("../a", "/a").
  explicit ZipArchive(ByteSourcePtr bytes);
  explicit ZipArchive(const std::string& path);

  const std::string& name() const { return bytes_->name(); }
  const std::vector<ZipEntry>& entries() const { return entries_; }
  bool has(std::string_view entry) const;

  // Each of these throws CorruptFile, naming the entry, where it is missing, encrypted, compressed
  // by another method than deflate, larger than a compression can make it, or damaged.

  // The contents; an entry of more than `max_bytes` is refused.
  std::string read(std::string_view entry, int64_t max_bytes) const;
  // Gives the contents to `sink`, a piece at a time.
  using Sink = std::function<void(std::span<const std::byte>)>;
  void stream(std::string_view entry, const Sink& sink) const;
  // The contents at any place; not for two threads at a time. What is stored uncompressed is read
  // where it stands, after one pass over it to check it; else it is expanded into a file without a
  // name in `folder`.
  ByteSourcePtr open(std::string_view entry, const std::string& folder) const;

 private:
  size_t find(std::string_view entry) const;
  void check(size_t index) const;
  std::shared_ptr<zip_file> open_entry(size_t index) const;
  [[noreturn]] void refuse(const std::string& entry, const std::string& why) const;

  ByteSourcePtr bytes_;
  std::shared_ptr<ZipBytes> reader_;  // archive_ reads through it
  std::shared_ptr<zip> archive_;
  std::vector<ZipEntry> entries_;
};

}  // namespace plimsoll
