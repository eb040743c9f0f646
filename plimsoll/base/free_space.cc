#include "plimsoll/base/free_space.h"

#include <fmt/format.h>

#include <sys/statvfs.h>

#include <filesystem>
#include <limits>

#include "plimsoll/base/bytes.h"
#include "plimsoll/base/error.h"

namespace plimsoll {

int64_t free_space(const std::string& path) {
  constexpr int64_t kUnknown = std::numeric_limits<int64_t>::max();
  std::error_code error;
  std::filesystem::path place = std::filesystem::absolute(path, error);
  struct statvfs about {};
  while (statvfs(place.c_str(), &about) != 0) {
    if (!place.has_relative_path()) return kUnknown;
    place = place.parent_path();
  }
  // Some file systems of memory or of a network give no size.
  if (about.f_blocks == 0) return kUnknown;
  return static_cast<int64_t>(about.f_bavail) * static_cast<int64_t>(about.f_frsize);
}

void check_free_space(const std::string& path, int64_t bytes) {
  const int64_t left = free_space(path);
  if (bytes > left)
    throw IoError(fmt::format(
        "{}: writing it takes {} of disk, but only {} are free there; free some, or name a place "
        "on another disk",
        path, format_bytes(bytes), format_bytes(left)));
}

}  // namespace plimsoll
