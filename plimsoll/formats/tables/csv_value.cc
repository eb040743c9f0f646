#include "plimsoll/formats/tables/csv_value.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <string>

namespace plimsoll {
namespace {

constexpr std::array<std::string_view, 18> kMissing = {
    "",        "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND",
    "1.#QNAN", "<NA>", "N/A",      "NA",  "NULL",    "NaN",      "None", "n/a",  "nan"};

std::string_view without_spaces(std::string_view text) {
  const auto is_space = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

template <class T>
bool parse_whole(std::string_view text, T& into) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), into);
  return error == std::errc() && end == text.data() + text.size();
}

// A number that no double holds is the nearest that one does: 0 or an infinity, as in pandas.
bool parse_real(std::string_view text, double& into) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), into);
  if (end != text.data() + text.size()) return false;
  if (error == std::errc::result_out_of_range)
    into = std::strtod(std::string(text).c_str(), nullptr);
  return error != std::errc::invalid_argument;
}

CsvValue integer(int64_t value) {
  return {CsvValue::Kind::integer, static_cast<double>(value), value};
}

}  // namespace

CsvValue parse_csv_value(std::string_view text) {
  text = without_spaces(text);
  if (text == "null" || std::ranges::find(kMissing, text) != kMissing.end()) return {};
  if (text == "True" || text == "true" || text == "TRUE") return integer(1);
  if (text == "False" || text == "false" || text == "FALSE") return integer(0);
  const bool has_plus = text.size() > 1 && text[0] == '+' && text[1] != '-';
  const std::string_view digits = text.substr(has_plus ? 1 : 0);
  CsvValue value;
  if (parse_whole(digits, value.integer)) return integer(value.integer);
  value.kind = parse_real(digits, value.number) ? CsvValue::Kind::real : CsvValue::Kind::text;
  return value;
}

}  // namespace plimsoll
