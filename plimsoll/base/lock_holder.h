// Which process holds a FileLock.
#pragma once

#include <optional>
#include <string>

namespace plimsoll {

// The number of the process that holds the lock of this file and has the file open. None where it
// is not held, or by a process that this one may not look at. Takes no lock itself, so that a run
// which begins at this moment is not disturbed.
std::optional<int> lock_holder(const std::string& path);

}  // namespace plimsoll
