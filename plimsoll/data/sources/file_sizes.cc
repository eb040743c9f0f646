#include "plimsoll/data/sources/file_sizes.h"

#include <sys/stat.h>

#include <algorithm>

#include "plimsoll/base/xxh3.h"

namespace plimsoll {

std::string hash_of_file_sizes(int64_t count, const std::function<std::string(int64_t)>& path) {
  constexpr int64_t kMostFiles = 1 << 20;  // which takes seconds
  Xxh3 hash;
  for (int64_t i = 0; i < std::min(count, kMostFiles); ++i) {
    struct stat found = {};
    const int64_t bytes = stat(path(i).c_str(), &found) == 0 ? int64_t{found.st_size} : -1;
    hash.add({reinterpret_cast<const char*>(&bytes), sizeof bytes});
  }
  return hash.text();
}

}  // namespace plimsoll
