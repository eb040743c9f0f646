// Room on a disk.
#pragma once

#include <cstdint>
#include <string>

namespace plimsoll {

// What this process may still write on the disk of `path`, which need not exist yet. Without a
// limit where the system does not say.
int64_t free_space(const std::string& path);

// IoError with both numbers where `bytes` are more than that.
void check_free_space(const std::string& path, int64_t bytes);

}  // namespace plimsoll
