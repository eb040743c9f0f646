#include "plimsoll/base/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

// Whoever only looks holds a shared lock for microseconds, so a taker asks again for a while.
constexpr auto kLockPatience = std::chrono::milliseconds(200),
               kLockPause = std::chrono::milliseconds(2);

bool is_refused(int file, int operation) {
  return flock(file, operation | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

bool is_locked_by_another(int file) {
  const auto until = std::chrono::steady_clock::now() + kLockPatience;
  while (is_refused(file, LOCK_EX)) {
    if (std::chrono::steady_clock::now() > until) return true;
    std::this_thread::sleep_for(kLockPause);
  }
  return false;
}

bool is_regular_file(int file) {
  struct stat found {};
  return fstat(file, &found) == 0 && S_ISREG(found.st_mode);
}

// Whoever held the lock before may have removed the file after it was opened here.
bool is_at(const std::string& path, int file) {
  struct stat named {
  }, opened{};
  return stat(path.c_str(), &named) == 0 && fstat(file, &opened) == 0 &&
         named.st_ino == opened.st_ino && named.st_dev == opened.st_dev;
}

}  // namespace

std::unique_ptr<FileLock> FileLock::take(const std::string& path) {
  while (true) {
    const int file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (file < 0) throw IoError(path + ": cannot be made: " + std::strerror(errno));
    const bool is_taken = is_locked_by_another(file);
    if (!is_taken && is_at(path, file)) return std::unique_ptr<FileLock>(new FileLock(path, file));
    close(file);
    if (is_taken) return nullptr;
  }
}

bool FileLock::is_held(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (file < 0) return false;
  const bool is_taken = is_regular_file(file) && is_refused(file, LOCK_SH);
  close(file);
  return is_taken;
}

FileLock::~FileLock() {
  if (is_at(path_, file_)) unlink(path_.c_str());
  close(file_);
}

}  // namespace plimsoll
