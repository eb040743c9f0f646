// XXH3 (128 bits) names the contents of a text or a file, as `xxhsum -H2` does. Different contents
// have different names; it is not a cryptographic hash, and nothing here needs one.
#pragma once

#include <string>
#include <string_view>

namespace plimsoll {

// 32 hexadecimal digits.
std::string xxh3_of(std::string_view text);

// The same of a whole file, read in parts. IoError if it cannot be read.
std::string xxh3_of_file(const std::string& path);

}  // namespace plimsoll
