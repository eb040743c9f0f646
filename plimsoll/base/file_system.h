// FileSystem: what checkpoints ask of a disk. The real one is the operating system's; tests have
// one that fails, loses what was not synced, and "cuts the power" after any operation. Every
// function throws IoError, which names the path, where the operation fails.
//
// What is only written, created, renamed or removed may survive a power cut in part and in any
// order. What is synced survives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace plimsoll {

// A new file that is written from its beginning to its end.
class WritableFile {
 public:
  virtual ~WritableFile() = default;
  virtual void write(std::span<const std::byte> bytes) = 0;
  // What was written is on the disk when this returns. Where it fails, the file is lost: the system
  // may have dropped what it could not write, and a second call may succeed nevertheless.
  virtual void sync() = 0;
};

class ReadableFile {
 public:
  virtual ~ReadableFile() = default;
  virtual int64_t size() const = 0;
  // Fills all of `into`. CorruptFile where the file ends before.
  virtual void read_at(int64_t offset, std::span<std::byte> into) const = 0;
};

class FileSystem {
 public:
  virtual ~FileSystem() = default;
  // Removes a file or a link of that name and makes a new file: what else leads to the old one is
  // as it was.
  virtual std::unique_ptr<WritableFile> create(const std::string& path) = 0;
  // Only a regular file is opened.
  virtual std::unique_ptr<ReadableFile> open(const std::string& path) const = 0;
  // Replaces a file that has the new name, at once.
  virtual void rename(const std::string& from, const std::string& to) = 0;
  virtual void remove(const std::string& path) = 0;
  // The names in a folder, sorted; none where there is no folder.
  virtual std::vector<std::string> list(const std::string& folder) const = 0;
  // With the folders above it. One that is there already is left as it is. Its name is on the disk
  // when this returns.
  virtual void make_folder(const std::string& path) = 0;
  // The names of its files are on the disk when this returns.
  virtual void sync_folder(const std::string& path) = 0;
};

FileSystem& real_file_system();

// Syncs the folder that a file of the system is in: its name is on the disk when this returns.
void sync_folder_of(const std::string& path);

}  // namespace plimsoll
