#include "plimsoll/base/process_memory.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <initializer_list>
#include <optional>
#include <string>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

// Removes the first line from `text` and returns it without its line break.
std::string_view take_line(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(text.size(), line.size() + 1));
  return line;
}

// A small file of the kernel's, read whole into the stack. Files that are longer are cut off.
class KernelFile {
 public:
  explicit KernelFile(std::initializer_list<std::string_view> path_parts) {
    for (std::string_view part : path_parts) append(part);
    path_[path_size_] = '\0';
    const int file = open(path_.data(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    ssize_t count = 0;
    while ((count = pread(file, text_.data() + size_, text_.size() - size_,
                          static_cast<off_t>(size_))) > 0)
      size_ += static_cast<size_t>(count);
    close(file);
  }

  std::string_view path() const { return {path_.data(), path_size_}; }
  std::string_view text() const { return {text_.data(), size_}; }

  // The number after the line's name: "VmRSS:     1234 kB" or "inactive_file 4096".
  std::optional<int64_t> field(std::string_view name) const {
    for (std::string_view rest = text(); !rest.empty();) {
      const std::string_view line = take_line(rest);
      if (line.starts_with(name)) return number(line.substr(name.size()));
    }
    return std::nullopt;
  }

  // The first number of the file; nothing if it says "max".
  std::optional<int64_t> number() const { return number(text()); }

 private:
  static std::optional<int64_t> number(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    int64_t value = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
    if (parsed.ec != std::errc()) return std::nullopt;
    return value;
  }

  void append(std::string_view part) {
    const size_t count = std::min(part.size(), path_.size() - 1 - path_size_);
    std::memcpy(path_.data() + path_size_, part.data(), count);
    path_size_ += count;
  }

  std::array<char, 4096> path_;
  size_t path_size_ = 0;
  std::array<char, 16384> text_;
  size_t size_ = 0;
};

int64_t kibibytes_field(const KernelFile& file, std::string_view name) {
  const std::optional<int64_t> kibibytes = file.field(name);
  if (!kibibytes)
    throw IoError(std::string(file.path()) + ": expected a line '" + std::string(name) +
                  "', found none (/proc may not be mounted)");
  return *kibibytes * 1024;
}

// The files in which the two versions of control groups keep the same numbers.
struct GroupFiles {
  std::string_view limit, usage, active_file, inactive_file;
};
constexpr GroupFiles kVersion1 = {"/memory.limit_in_bytes", "/memory.usage_in_bytes",
                                  "total_active_file ", "total_inactive_file "};
constexpr GroupFiles kVersion2 = {"/memory.max", "/memory.current", "active_file ",
                                  "inactive_file "};

// Nothing where the group has no limit or cannot be read.
std::optional<int64_t> left_in_group(std::string_view folder, const GroupFiles& files) {
  const std::optional<int64_t> limit = KernelFile({folder, files.limit}).number();
  const std::optional<int64_t> usage = KernelFile({folder, files.usage}).number();
  if (!limit || !usage) return std::nullopt;
  const KernelFile stat({folder, "/memory.stat"});
  const int64_t cache =
      stat.field(files.active_file).value_or(0) + stat.field(files.inactive_file).value_or(0);
  return *limit - std::max<int64_t>(0, *usage - cache);
}

// The least over the group at `mount`/`group` and its ancestors, up to the mount itself. Inside a
// container the group's name may be the host's and only the mount is there.
int64_t least_left(const std::string& mount, std::string_view group, const GroupFiles& files,
                   int64_t least) {
  while (group.ends_with('/')) group.remove_suffix(1);
  while (true) {
    const auto left = left_in_group(mount + std::string(group), files);
    if (left) least = std::min(least, *left);
    if (group.empty()) return least;
    group = group.substr(0, group.rfind('/'));
  }
}

// A line of /proc/self/cgroup is "number:controllers:/path"; version 2 has no controllers.
int64_t least_left(const std::string& root, std::string_view line, int64_t least) {
  const size_t first = line.find(':'), second = line.find(':', first + 1);
  if (first == line.npos || second == line.npos) return least;
  const std::string controllers =
      ',' + std::string(line.substr(first + 1, second - first - 1)) + ',';
  const std::string_view group = line.substr(second + 1);
  const std::string mounts = root + "/sys/fs/cgroup";
  if (controllers == ",,") {
    least = least_left(mounts, group, kVersion2, least);
    return least_left(mounts + "/unified", group, kVersion2, least);
  }
  if (controllers.find(",memory,") == controllers.npos) return least;
  return least_left(mounts + "/memory", group, kVersion1, least);
}

}  // namespace

ProcessMemory process_memory(std::string_view root) {
  const KernelFile status({root, "/proc/self/status"});
  return {.resident_bytes = kibibytes_field(status, "VmRSS:"),
          .peak_resident_bytes = kibibytes_field(status, "VmHWM:")};
}

int64_t memory_available(std::string_view root) {
  int64_t least = kibibytes_field(KernelFile({root, "/proc/meminfo"}), "MemAvailable:");
  const KernelFile groups({root, "/proc/self/cgroup"});
  for (std::string_view rest = groups.text(); !rest.empty();)
    least = least_left(std::string(root), take_line(rest), least);
  return std::max<int64_t>(0, least);
}

}  // namespace plimsoll
