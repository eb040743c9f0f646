#include "plimsoll/base/same_file.h"

#include <algorithm>
#include <filesystem>

namespace plimsoll {

namespace fs = std::filesystem;

bool is_same_file(const std::string& one, const std::string& other) {
  std::error_code error;
  return fs::equivalent(one, other, error) && !error;
}

bool is_inside(const std::string& path, const std::string& folder) {
  std::error_code error;
  const fs::path inner = fs::canonical(path, error);
  if (error) return false;
  const fs::path outer = fs::canonical(folder, error);
  if (error) return false;
  const auto [end, _] = std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end());
  return end == outer.end();
}

}  // namespace plimsoll
