// A small file of text, read whole.
#pragma once

#include <cstdint>
#include <string>

namespace plimsoll {

// IoError if it cannot be read, CorruptFile ("… is too large for a list of classes") where it
// has more than `max_bytes`.
std::string read_text(const std::string& path, int64_t max_bytes, const std::string& what);

// The same of a file in a folder that others may have made: a link is refused.
std::string read_own_text(const std::string& path, int64_t max_bytes, const std::string& what);

}  // namespace plimsoll
