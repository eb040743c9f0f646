// A file that appears whole or not at all. It is written under another name in the same folder;
// once it is safe on the disk it takes its own name and replaces the file that had it.
//
//   AtomicFile file("model.keras");
//   write_to(file.temporary_path());
//   file.commit();
//
// Whatever happens before commit(), the file that had the name is as it was.
#pragma once

#include <string>
#include <string_view>

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

  const std::string& temporary_path() const { return temporary_path_; }
  // Flushes the file, gives it its name, and flushes the folder. The caller has closed the file.
  void commit();

 private:
  std::string path_;  // without symbolic links
  std::string temporary_path_;
  bool committed_ = false;
};

// Writes `bytes` as the whole of a file, atomically.
void write_file(const std::string& path, std::string_view bytes);

}  // namespace plimsoll
