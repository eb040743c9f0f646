// A file that appears whole or not at all. It is written under another name in the same folder;
// once it is safe on the disk it takes its own name and replaces the file that had it.
//
//   AtomicFile file("model.keras");
//   write_to(file.temporary_path());
//   file.commit();
//
// Whatever happens before commit(), the file that had the name is as it was. What a process left
// that was killed while it wrote is removed by the next that writes the same file.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "plimsoll/base/file_descriptor.h"

namespace plimsoll {

class AtomicFile {
 public:
  // Makes an empty temporary file. If `path` is a symbolic link, the file that it points to is the
  // one that is replaced. Throws IoError where the folder cannot be written or `path` is no regular
  // file.
  explicit AtomicFile(const std::string& path);
  // Removes what was not committed.
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  // That it will have, without symbolic links.
  const std::string& path() const { return path_; }
  const std::string& temporary_path() const { return temporary_path_; }
  // The temporary file, for writing; errors call it by the name that it will have.
  FileDescriptor open() const;
  // Flushes the file, gives it its name, and flushes the folder. The caller has closed the file.
  void commit();

 private:
  std::string path_;  // without symbolic links
  std::string temporary_path_;
  std::optional<FileDescriptor> made_;  // locked: others see that it is being written
  bool committed_ = false;
};

// True for names of temporary files: ".model.keras.4711-0.tmp".
bool is_temporary_name(std::string_view name);

// Writes `bytes` as the whole of a file, atomically.
void write_file(const std::string& path, std::string_view bytes);

}  // namespace plimsoll
