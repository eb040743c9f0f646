#include "plimsoll/cli/serve/run_door.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/stat.h>

#include <string_view>
#include <vector>

#include "plimsoll/base/error.h"

namespace plimsoll::serve {
namespace {

constexpr size_t kMostBytes = 1024, kMostParts = 8;

// None where a part is not the name of a folder that is shown.
std::optional<std::vector<std::string>> parts_of(std::string_view name) {
  std::vector<std::string> parts;
  if (name == ".") return parts;
  if (name.empty() || name.size() > kMostBytes || name.find('\0') != name.npos) return std::nullopt;
  while (true) {
    const size_t slash = name.find('/');
    const std::string_view part = name.substr(0, slash);
    if (part.empty() || part.starts_with('.') || parts.size() == kMostParts) return std::nullopt;
    parts.emplace_back(part);
    if (slash == name.npos) return parts;
    name.remove_prefix(slash + 1);
  }
}

std::string path_of(const FileDescriptor& folder) {
  return fmt::format("/proc/self/fd/{}", folder.number());
}

bool has_run(const FileDescriptor& folder) {
  struct stat found {};
  return fstatat(folder.number(), "run.json", &found, AT_SYMLINK_NOFOLLOW) == 0 &&
         S_ISREG(found.st_mode);
}

}  // namespace

std::optional<RunDoor> RunDoor::open(const std::string& top, const std::string& name) {
  const auto parts = parts_of(name);
  if (!parts) return std::nullopt;
  try {
    std::optional<FileDescriptor> folder;
    folder.emplace(top, O_RDONLY | O_DIRECTORY);
    for (const std::string& part : *parts) {
      FileDescriptor next(path_of(*folder) + "/" + part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
      folder.emplace(std::move(next));
    }
    if (!has_run(*folder)) return std::nullopt;
    return RunDoor(std::move(*folder));
  } catch (const IoError&) {
    return std::nullopt;
  }
}

std::string RunDoor::path() const {
  return path_of(folder_);
}

}  // namespace plimsoll::serve
