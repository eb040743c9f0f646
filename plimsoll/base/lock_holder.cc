#include "plimsoll/base/lock_holder.h"

#include <fmt/format.h>

#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace plimsoll {
namespace {

namespace fs = std::filesystem;

bool has_open(int process, const struct stat& file) {
  std::error_code error;
  fs::directory_iterator entry(fmt::format("/proc/{}/fd", process), error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    struct stat opened {};
    if (stat(entry->path().c_str(), &opened) == 0 && opened.st_ino == file.st_ino &&
        opened.st_dev == file.st_dev)
      return true;
  }
  return false;
}

}  // namespace

// A line is "7: FLOCK  ADVISORY  WRITE 4711 08:01:1234 0 EOF". The device that it names is not
// always the one that stat() gives, so the process is asked for its files.
std::optional<int> lock_holder(const std::string& path) {
  struct stat file {};
  if (lstat(path.c_str(), &file) != 0 || !S_ISREG(file.st_mode)) return std::nullopt;
  std::ifstream locks("/proc/locks");
  for (std::string line; std::getline(locks, line);) {
    std::istringstream words(line);
    std::string number, kind, advisory, access, place;
    int process = 0;
    words >> number >> kind >> advisory >> access >> process >> place;
    const std::string inode = place.substr(place.rfind(':') + 1);
    if (kind == "FLOCK" && process > 0 && inode == fmt::format("{}", file.st_ino) &&
        has_open(process, file))
      return process;
  }
  return std::nullopt;
}

}  // namespace plimsoll
