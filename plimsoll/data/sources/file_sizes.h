// The sizes of very many files, as one hash.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace plimsoll {

// Of the files `path(0)` to `path(count - 1)`, or of the first million of them. A file that cannot
// be looked at counts as one that is not there.
std::string hash_of_file_sizes(int64_t count, const std::function<std::string(int64_t)>& path);

}  // namespace plimsoll
