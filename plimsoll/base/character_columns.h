// The columns that a character takes on a terminal: wide ones of East Asia and emoji take two,
// marks that combine with the character before them take none.
#pragma once

#include <cstddef>
#include <cstdint>

namespace plimsoll {

// `code` is a Unicode code point that is not a control character.
size_t columns_of_character(uint32_t code);

}  // namespace plimsoll
