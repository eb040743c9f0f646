#include "plimsoll/base/file_descriptor.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "plimsoll/base/error.h"

namespace plimsoll {

FileDescriptor::FileDescriptor(const std::string& path, int flags, unsigned mode,
                               const std::string& name)
    : path_(name.empty() ? path : name) {
  do number_ = open(path.c_str(), flags | O_CLOEXEC, mode);
  while (number_ < 0 && errno == EINTR);
  if (number_ < 0) fail("opened");
}

FileDescriptor::FileDescriptor(FileDescriptor&& other) noexcept
    : path_(std::move(other.path_)), number_(std::exchange(other.number_, -1)) {}

FileDescriptor::~FileDescriptor() {
  if (number_ >= 0) close(number_);
}

int64_t FileDescriptor::size() const {
  struct stat status {};
  if (fstat(number_, &status) != 0) fail("read");
  return status.st_size;
}

void FileDescriptor::read_at(int64_t offset, std::span<std::byte> into) const {
  while (!into.empty()) {
    const ssize_t got = pread(number_, into.data(), into.size(), offset);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail("read");
    if (got == 0)
      throw IoError(
          fmt::format("{}: ends at byte {}, expected {} bytes more", path_, offset, into.size()));
    into = into.subspan(static_cast<size_t>(got));
    offset += got;
  }
}

void FileDescriptor::write_at(int64_t offset, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t put = pwrite(number_, bytes.data(), bytes.size(), offset);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) fail("written");
    bytes = bytes.subspan(static_cast<size_t>(put));
    offset += put;
  }
}

void FileDescriptor::flush_to_disk() {
  while (fsync(number_) != 0)
    if (errno != EINTR) fail("flushed to the disk");
}

void FileDescriptor::fail(const char* what) const {
  throw IoError(path_ + ": cannot be " + what + ": " + std::strerror(errno));
}

FileDescriptor open_regular(const std::string& path) {
  struct stat found {};
  if (lstat(path.c_str(), &found) == 0 && S_ISLNK(found.st_mode))
    throw IoError(path + ": is a link; files of such a folder are read only where they are");
  FileDescriptor file(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  if (fstat(file.number(), &found) != 0 || !S_ISREG(found.st_mode))
    throw IoError(path + ": is not a file");
  return file;
}

}  // namespace plimsoll
