#include "plimsoll/data/encode/cell_text.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/archives/json.h"
#include "plimsoll/formats/tables/csv_value.h"

namespace plimsoll {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpaces = " \t\r\n";
  const size_t first = text.find_first_not_of(kSpaces);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(kSpaces) - first + 1);
}

bool is_gap(std::string_view cell) {
  cell = trimmed(cell);
  if (cell == "?" || cell == "-") return true;
  return parse_csv_value(cell).kind == CsvValue::Kind::missing;
}

bool is_utf8(std::string_view text) {
  try {
    dump_json(nlohmann::ordered_json(text));
    return true;
  } catch (const InvalidArgument&) {
    return false;
  }
}

std::string shown_cell(std::string_view cell, size_t most_bytes) {
  const auto byte = [](char c) { return static_cast<unsigned char>(c); };
  std::string text(cell.substr(0, most_bytes));
  const bool is_cut = cell.size() > most_bytes;
  // No part of a character stays at the end.
  while (is_cut && !text.empty() && byte(text.back()) >= 0x80) text.pop_back();
  std::ranges::replace_if(
      text, [&](char c) { return byte(c) < 32 || c == 127; }, ' ');
  if (!is_utf8(text))
    std::ranges::replace_if(
        text, [&](char c) { return byte(c) >= 0x80; }, '?');
  return text + (is_cut ? "…" : "");
}

}  // namespace plimsoll
