#include "plimsoll/data/sources/file_set.h"

#include <glob.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

// A process may have 1024 files open by default, and other parts of the program need some.
constexpr size_t kMostOpen = 256;

bool exists(const std::string& path) {
  std::error_code error;
  return std::filesystem::exists(path, error);
}

bool is_pattern(const std::string& text) {
  return text.find_first_of("*?[") != text.npos && !exists(text);
}

std::vector<std::string> matches(const std::string& pattern) {
  glob_t found{};
  const int status = glob(pattern.c_str(), 0, nullptr, &found);
  std::vector<std::string> paths(found.gl_pathv,
                                 found.gl_pathv + (status == 0 ? found.gl_pathc : 0));
  globfree(&found);
  std::ranges::sort(paths);
  if (paths.empty()) throw InvalidArgument(pattern + ": no file has a name like this");
  return paths;
}

}  // namespace

FileSet::FileSet(std::vector<std::string> paths, const std::string& what)
    : paths_(std::move(paths)) {
  if (paths_.empty()) throw InvalidArgument(what + ": expected at least one file, found none");
  for (size_t i = 0; i < std::min(paths_.size(), kMostOpen); ++i)
    files_.push_back(file_source(paths_[i]));
}

ByteSourcePtr FileSet::open(size_t file) const {
  return file < files_.size() ? files_[file] : file_source(paths_[file]);
}

std::vector<std::string> named_files(const std::string& text) {
  if (exists(text)) return {text};
  std::vector<std::string> paths;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t comma = std::min(text.find(',', begin), text.size());
    const std::string part = text.substr(begin, comma - begin);
    begin = comma + 1;
    if (is_pattern(part))
      std::ranges::copy(matches(part), std::back_inserter(paths));
    else
      paths.push_back(part);
  }
  return paths;
}

}  // namespace plimsoll
