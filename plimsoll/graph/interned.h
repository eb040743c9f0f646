// Strings that many nodes share: layer paths and names of source files.
#pragma once

#include <string>
#include <string_view>

namespace plimsoll {

// The one copy of this text, which lives as long as the process. Any thread may call it. The
// texts must be few: none is ever given back.
const std::string* interned(std::string_view text);

}  // namespace plimsoll
