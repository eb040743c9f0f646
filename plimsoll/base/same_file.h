// Whether two paths lead to the same place, by whatever links.
#pragma once

#include <string>

namespace plimsoll {

// False where one of them does not exist.
bool is_same_file(const std::string& one, const std::string& other);

// True if `path`, with its symbolic links followed, is the folder or below it.
bool is_inside(const std::string& path, const std::string& folder);

// The same for a path that need not exist yet; false unless the folder does.
bool would_be_inside(const std::string& path, const std::string& folder);

}  // namespace plimsoll
