// The text of a cell.
#pragma once

#include <string>
#include <string_view>

namespace plimsoll {

// Without spaces and tabs around it.
std::string_view trimmed(std::string_view text);

// True if it says that nothing is there: what parse_csv_value() takes for missing, "?" and "-".
bool is_gap(std::string_view cell);

bool is_utf8(std::string_view text);

// For a message, always UTF-8: a long one is cut, control characters are spaces.
std::string shown_cell(std::string_view cell, size_t most_bytes = 40);

}  // namespace plimsoll
