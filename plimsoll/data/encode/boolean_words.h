// Words for yes and no.
#pragma once

#include <optional>
#include <string_view>

namespace plimsoll {

// Of yes, no, true, false, y, n, t, f, on and off, in any case; none for another text.
std::optional<bool> boolean_word(std::string_view text);

}  // namespace plimsoll
