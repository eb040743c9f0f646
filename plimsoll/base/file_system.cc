#include "plimsoll/base/file_system.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/base/file_descriptor.h"

namespace plimsoll {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& path, const char* what, int error) {
  throw IoError(fmt::format("{}: cannot be {}: {}", path, what, std::strerror(error)));
}

class RealWritableFile final : public WritableFile {
 public:
  explicit RealWritableFile(const std::string& path) : file_(path, O_WRONLY | O_CREAT | O_EXCL) {}

  void write(std::span<const std::byte> bytes) override {
    file_.write_at(size_, bytes);
    size_ += static_cast<int64_t>(bytes.size());
  }
  // Its pages leave the memory, so that who reads it back sees what the disk has.
  void sync() override {
    file_.flush_to_disk();
    ::posix_fadvise(file_.number(), 0, 0, POSIX_FADV_DONTNEED);
  }

 private:
  FileDescriptor file_;
  int64_t size_ = 0;
};

class RealReadableFile final : public ReadableFile {
 public:
  // O_NONBLOCK: a named pipe must not make us wait.
  explicit RealReadableFile(const std::string& path) : file_(path, O_RDONLY | O_NONBLOCK) {
    struct stat status {};
    if (fstat(file_.number(), &status) != 0) file_.fail("read");
    if (!S_ISREG(status.st_mode))
      throw IoError(path + ": cannot be read: it is not a regular file");
  }

  int64_t size() const override { return file_.size(); }
  void read_at(int64_t offset, std::span<std::byte> into) const override {
    const int64_t size = file_.size(), count = static_cast<int64_t>(into.size());
    if (offset < 0 || offset > size || count > size - offset)
      throw CorruptFile(fmt::format("{}: ends at byte {}, expected {} bytes from byte {} on",
                                    file_.path(), size, count, offset));
    file_.read_at(offset, into);
  }

 private:
  FileDescriptor file_;
};

std::string folder_above(const std::string& path) {
  const fs::path above = fs::path(path).parent_path();
  return above.empty() ? "." : above.string();
}

class RealFileSystem final : public FileSystem {
 public:
  std::unique_ptr<WritableFile> create(const std::string& path) override {
    if (unlink(path.c_str()) != 0 && errno != ENOENT) fail(path, "replaced", errno);
    return std::make_unique<RealWritableFile>(path);
  }

  std::unique_ptr<ReadableFile> open(const std::string& path) const override {
    return std::make_unique<RealReadableFile>(path);
  }

  void rename(const std::string& from, const std::string& to) override {
    if (std::rename(from.c_str(), to.c_str()) != 0) fail(to, "replaced", errno);
  }

  void remove(const std::string& path) override {
    if (unlink(path.c_str()) != 0) fail(path, "removed", errno);
  }

  std::vector<std::string> list(const std::string& folder) const override {
    std::error_code error;
    fs::directory_iterator entry(folder, error);
    if (error == std::errc::no_such_file_or_directory) return {};
    std::vector<std::string> names;
    for (; !error && entry != fs::directory_iterator(); entry.increment(error))
      names.push_back(entry->path().filename().string());
    if (error) fail(folder, "listed", error.value());
    std::ranges::sort(names);
    return names;
  }

  void make_folder(const std::string& given) override {
    const fs::path whole(given);
    const fs::path path = whole.has_filename() ? whole : whole.parent_path();
    const std::string above = folder_above(path);
    if (path != above && !is_there(above))
      make_folder(above);
    else if (!is_there(path))
      sync_name_of(above);
    if (mkdir(path.c_str(), 0777) != 0 && (errno != EEXIST || !is_folder(path)))
      fail(path, "made", errno);
    // A folder that was there may have been made a moment ago, by a process that was killed or
    // whose sync has failed.
    sync_folder(above);
  }

  void sync_folder(const std::string& path) override {
    FileDescriptor(path, O_RDONLY | O_DIRECTORY).flush_to_disk();
  }

 private:
  static bool is_there(const std::string& path) {
    std::error_code error;
    return fs::exists(path, error);
  }

  // Who may not read the folder above has not made this one.
  void sync_name_of(const std::string& folder) {
    const std::string above = folder_above(folder);
    if (access(above.c_str(), R_OK) == 0) sync_folder(above);
  }

  static bool is_folder(const std::string& path) {
    struct stat status {};
    const int error = std::exchange(errno, 0);
    const bool is_one = stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
    errno = error;
    return is_one;
  }
};

}  // namespace

FileSystem& real_file_system() {
  static RealFileSystem files;
  return files;
}

void sync_folder_of(const std::string& path) {
  real_file_system().sync_folder(folder_above(path));
}

}  // namespace plimsoll
