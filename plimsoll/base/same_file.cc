#include "plimsoll/base/same_file.h"

#include <algorithm>
#include <filesystem>

namespace plimsoll {

namespace fs = std::filesystem;

namespace {

bool begins_with(const fs::path& inner, const fs::path& outer) {
  const auto [end, _] = std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end());
  return end == outer.end();
}

}  // namespace

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
  return begins_with(inner, outer);
}

bool would_be_inside(const std::string& path, const std::string& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) return false;
  const fs::path outer = fs::canonical(folder, error);
  if (error) return false;
  const fs::path inner = fs::weakly_canonical(fs::absolute(path, error), error);
  return !error && begins_with(inner.lexically_normal(), outer);
}

}  // namespace plimsoll
