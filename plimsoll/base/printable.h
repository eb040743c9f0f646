// Text of files and of people as it may be shown on a terminal. A name in a file that is not
// trusted may hold characters that move the cursor, change colours or reorder a line.
#pragma once

#include <string>
#include <string_view>

namespace plimsoll {

// The text in one line of valid UTF-8: control characters, characters that reorder text and bytes
// that are not UTF-8 are written out ("\x1b", "\n", "\u202e").
std::string printable(std::string_view text);

// The same, but line breaks stay.
std::string printable_lines(std::string_view text);

// The text of valid JSON: the same characters, which may be in its strings, as JSON writes them
// ("\u009b").
std::string printable_json(std::string_view json);

// The text in valid UTF-8, for files that take nothing else: bytes that are not are written out
// ("caf\xe9"), everything else stays.
std::string valid_utf8(std::string_view text);

// The columns that printable text takes on a terminal.
size_t columns_of(std::string_view text);

// The beginning of printable text that takes at most so many columns.
std::string_view within_columns(std::string_view text, size_t columns);

}  // namespace plimsoll
