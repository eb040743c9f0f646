// What a command prints. Names of files, layers, columns and classes come from files that are not
// trusted: what would move the cursor or is not UTF-8 is written out.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

namespace plimsoll::cli {

// Lines, on standard output.
void print_text(std::string_view text);

// Indented JSON and the end of its line, on standard output. Text that is not UTF-8 has replacement
// characters.
void print_json(const nlohmann::ordered_json& json);

// "plimsoll: …", one line on standard error.
void print_message(std::string_view sentence);

}  // namespace plimsoll::cli
