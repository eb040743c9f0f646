// An open file of the operating system, closed when it goes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace plimsoll {

class FileDescriptor {
 public:
  // As open(2), closed on exec; IoError names the path and the reason. Errors call the file `name`
  // where that is given.
  FileDescriptor(const std::string& path, int flags, unsigned mode = 0666,
                 const std::string& name = {});
  FileDescriptor(FileDescriptor&& other) noexcept;
  FileDescriptor& operator=(FileDescriptor&&) = delete;
  ~FileDescriptor();

  int number() const { return number_; }
  // What errors call it.
  const std::string& path() const { return path_; }
  int64_t size() const;
  // All of `into`; IoError where the file ends before.
  void read_at(int64_t offset, std::span<std::byte> into) const;
  void write_at(int64_t offset, std::span<const std::byte> bytes);
  void flush_to_disk();

  // IoError from errno: "model.keras: cannot be read: Permission denied".
  [[noreturn]] void fail(const char* what) const;

 private:
  std::string path_;
  int number_ = -1;
};

// To read a file in a folder that others may have made. IoError where it is a link, a pipe or a
// device; none of them is followed or waited for.
FileDescriptor open_regular(const std::string& path);

}  // namespace plimsoll
