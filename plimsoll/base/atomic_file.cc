#include "plimsoll/base/atomic_file.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>

#include "plimsoll/base/error.h"

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

// ".model.keras.": what all names of temporary files of `path` begin with.
std::string temporary_begin(const fs::path& path) {
  constexpr size_t kMost = 200;  // of 255 bytes that a name may have
  return "." + path.filename().string().substr(0, kMost) + ".";
}

struct TemporaryName {
  std::string_view begin;
  pid_t process = 0;
};

// Of ".model.keras.4711-0.tmp".
std::optional<TemporaryName> parse_temporary(std::string_view name) {
  constexpr std::string_view kEnd = ".tmp";
  if (!name.starts_with('.') || !name.ends_with(kEnd)) return std::nullopt;
  name.remove_suffix(kEnd.size());
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const size_t dash = name.rfind('-'), dot = name.rfind('.');
  if (dot == 0 || dot == name.npos || dash == name.npos || dash < dot + 2 ||
      dash + 1 == name.size() || !std::ranges::all_of(name.substr(dash + 1), is_digit))
    return std::nullopt;
  TemporaryName found{.begin = name.substr(0, dot + 1)};
  const auto [end, error] =
      std::from_chars(name.data() + dot + 1, name.data() + dash, found.process);
  if (error != std::errc() || end != name.data() + dash) return std::nullopt;
  return found;
}

bool is_locked(const fs::path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool is_held = flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  close(file);
  return is_held;
}

// A process of another container or machine is not known here, but its lock is.
void remove_leftovers(const fs::path& path) {
  constexpr int kMostEntries = 10000;  // a folder of millions is not searched to its end
  const std::string begin = temporary_begin(path);
  const fs::path folder = path.parent_path().empty() ? "." : path.parent_path();
  std::error_code error;
  int count = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (++count > kMostEntries) return;
    const std::string name = entry.path().filename().string();
    const auto found = parse_temporary(name);
    if (!found || found->begin != begin || !name.ends_with(".tmp")) continue;
    if (kill(found->process, 0) == 0 || errno != ESRCH || is_locked(entry.path())) continue;
    unlink(entry.path().c_str());
  }
}

// A new, empty file beside `path`; others may be making theirs at this moment.
FileDescriptor make_beside(const fs::path& path) {
  const std::string begin = fmt::format("{}{}-", temporary_begin(path), getpid());
  for (int count = 0; count < 1000; ++count) {
    const fs::path name = path.parent_path() / (fmt::format("{}{}.tmp", begin, count));
    const int made = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (made >= 0) close(made);
    if (made >= 0) return FileDescriptor(name, O_WRONLY);
    if (errno != EEXIST) break;
  }
  throw IoError(path.string() + ": cannot be written: " + std::strerror(errno));
}

}  // namespace

AtomicFile::AtomicFile(const std::string& path) : path_(follow_links(path)) {
  const auto status = status_of(path_);
  if (status && !S_ISREG(status->st_mode))
    throw IoError(path + ": cannot be written: it is not a regular file");
  remove_leftovers(path_);
  made_.emplace(make_beside(path_));
  flock(made_->number(), LOCK_EX | LOCK_NB);
  temporary_path_ = made_->path();
  // The new file keeps the permissions of the old. If that is not allowed, the default is used.
  if (status && chmod(temporary_path_.c_str(), status->st_mode & 07777) != 0) return;
}

AtomicFile::~AtomicFile() {
  if (!committed_) unlink(temporary_path_.c_str());
}

FileDescriptor AtomicFile::open() const {
  return {temporary_path_, O_WRONLY, 0, path_};
}

void AtomicFile::commit() {
  FileDescriptor(temporary_path_, O_RDONLY, 0, path_).flush_to_disk();
  if (rename(temporary_path_.c_str(), path_.c_str()) != 0)
    throw IoError(path_ + ": cannot be replaced: " + std::strerror(errno));
  committed_ = true;
  const fs::path folder = fs::path(path_).parent_path();
  FileDescriptor(folder.empty() ? "." : folder.string(), O_RDONLY | O_DIRECTORY).flush_to_disk();
}

bool is_temporary_name(std::string_view name) {
  return parse_temporary(name).has_value();
}

void write_file(const std::string& path, std::string_view bytes) {
  AtomicFile file(path);
  file.open().write_at(0, std::as_bytes(std::span(bytes)));
  file.commit();
}

}  // namespace plimsoll
