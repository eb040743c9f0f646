// Zip archives with compressed entries, as other programs write them.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace plimsoll::testing {

// The bytes of an archive of (name, contents).
std::string deflated_zip(const std::vector<std::pair<std::string, std::string>>& entries);

}  // namespace plimsoll::testing
