// Small tar archives for tests.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace plimsoll::testing {

// An archive of regular files, names and contents.
std::string tar_of(const std::vector<std::pair<std::string, std::string>>& files);

}  // namespace plimsoll::testing
