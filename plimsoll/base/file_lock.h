// FileLock: a file that one process holds at a time. The system gives it back however the process
// ends.
#pragma once

#include <memory>
#include <string>
#include <utility>

namespace plimsoll {

class FileLock {
 public:
  // Null where another process holds it. IoError where the file cannot be made. On a file system
  // that knows no locks it is always given.
  static std::unique_ptr<FileLock> take(const std::string& path);
  // False for whatever is no regular file, which is not followed or waited for. Several may look at
  // once, and none of them is in the way of who takes the lock.
  static bool is_held(const std::string& path);
  // Removes the file.
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

  // Its folder was renamed.
  void moved_to(const std::string& path) { path_ = path; }

 private:
  FileLock(std::string path, int file) : path_(std::move(path)), file_(file) {}

  std::string path_;
  int file_;
};

}  // namespace plimsoll
