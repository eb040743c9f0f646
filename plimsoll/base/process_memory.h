// How much memory this process holds and how much more the machine would give it (Linux).
#pragma once

#include <cstdint>
#include <string_view>

namespace plimsoll {

struct ProcessMemory {
  int64_t resident_bytes;       // VmRSS
  int64_t peak_resident_bytes;  // VmHWM: the largest VmRSS so far
};

// Reads <root>/proc/self/status without a heap allocation, so that measuring does not change what
// is measured. Throws IoError where the file or one of its fields is missing.
ProcessMemory process_memory(std::string_view root = "");

// How many bytes this process may still take: the least of the machine's MemAvailable and, for the
// process's control group and each of its ancestors (versions 1 and 2), limit - (usage - file cache
// that can be dropped). Never negative. Levels that cannot be read, as seen from inside a
// container, do not count. Throws IoError where the machine's own memory cannot be read.
int64_t memory_available(std::string_view root = "");

}  // namespace plimsoll
