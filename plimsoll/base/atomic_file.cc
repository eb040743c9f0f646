#include "plimsoll/base/atomic_file.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>

#include "plimsoll/base/error.h"
#include "plimsoll/base/file_descriptor.h"

namespace plimsoll {
namespace {

namespace fs = std::filesystem;

std::string follow_links(const std::string& path) {
  std::error_code error;
  const fs::path target = fs::weakly_canonical(path, error);
  return error || target.empty() ? path : target.string();
}

std::optional<struct stat> status_of(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return std::nullopt;
  return status;
}

// The name of a new, empty file beside `path`; others may be making theirs at this moment.
std::string make_beside(const fs::path& path) {
  const std::string begin = fmt::format(".{}.{}-", path.filename().string(), getpid());
  for (int count = 0; count < 1000; ++count) {
    const fs::path name = path.parent_path() / (fmt::format("{}{}.tmp", begin, count));
    const int made = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (made >= 0) close(made);
    if (made >= 0) return name;
    if (errno != EEXIST) break;
  }
  throw IoError(path.string() + ": cannot be written: " + std::strerror(errno));
}

}  // namespace

AtomicFile::AtomicFile(const std::string& path) : path_(follow_links(path)) {
  const auto status = status_of(path_);
  if (status && !S_ISREG(status->st_mode))
    throw IoError(path + ": cannot be written: it is not a regular file");
  temporary_path_ = make_beside(path_);
  // The new file keeps the permissions of the old. If that is not allowed, the default is used.
  if (status && chmod(temporary_path_.c_str(), status->st_mode & 07777) != 0) return;
}

AtomicFile::~AtomicFile() {
  if (!committed_) unlink(temporary_path_.c_str());
}

void AtomicFile::commit() {
  FileDescriptor(temporary_path_, O_RDONLY).flush_to_disk();
  if (rename(temporary_path_.c_str(), path_.c_str()) != 0)
    throw IoError(path_ + ": cannot be replaced: " + std::strerror(errno));
  committed_ = true;
  const fs::path folder = fs::path(path_).parent_path();
  FileDescriptor(folder.empty() ? "." : folder.string(), O_RDONLY | O_DIRECTORY).flush_to_disk();
}

void write_file(const std::string& path, std::string_view bytes) {
  AtomicFile file(path);
  FileDescriptor(file.temporary_path(), O_WRONLY).write_at(0, std::as_bytes(std::span(bytes)));
  file.commit();
}

}  // namespace plimsoll
