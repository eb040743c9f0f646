// The version of this program.
#pragma once

namespace plimsoll {

// "1.2.3"
const char* program_version();

}  // namespace plimsoll
