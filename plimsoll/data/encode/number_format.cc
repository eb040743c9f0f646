#include "plimsoll/data/encode/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "plimsoll/data/encode/cell_text.h"

namespace plimsoll {
namespace {

constexpr size_t kMostNumberBytes = 64;  // of a number

constexpr std::array<std::string_view, 40> kUnits = {
    "%",   "$",   "€",   "£",   "¥",   "₹",   "₽", "₩",   "₺",   "₪",
    "₫",   "₴",   "฿",   "¢",   "USD", "EUR", "GBP", "JPY", "CHF", "CNY",
    "INR", "AUD", "CAD", "NZD", "SEK", "NOK", "DKK", "PLN", "CZK", "HUF",
    "RON", "BRL", "MXN", "ZAR", "TRY", "RUB", "KRW", "SGD", "HKD", "ILS"};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Takes `unit` away from one end of the text; false if it is at neither.
bool take_unit(std::string_view& text, std::string_view unit) {
  if (unit.empty()) return true;
  if (text.starts_with(unit))
    text.remove_prefix(unit.size());
  else if (text.ends_with(unit))
    text.remove_suffix(unit.size());
  else
    return false;
  text = trimmed(text);
  return true;
}

// True if it was there; a plus is one of 1, a minus of -1.
bool take_sign(std::string_view& text, int& sign) {
  constexpr std::string_view kMinus = "\u2212";
  size_t bytes = 0;
  if (text.starts_with('+') || text.starts_with('-')) bytes = 1;
  if (text.starts_with(kMinus)) bytes = kMinus.size();
  if (bytes == 0) return false;
  sign = text[0] == '+' ? 1 : -1;
  text.remove_prefix(bytes);
  text = trimmed(text);
  return true;
}

// The mark for thousands at the beginning of the text: how many bytes it takes, or 0.
size_t mark_bytes(std::string_view text, char thousands) {
  if (thousands == 0 || text.empty()) return 0;
  if (text[0] == thousands) return 1;
  const auto starts_with_one_of = [&](std::initializer_list<std::string_view> others) -> size_t {
    for (const std::string_view other : others)
      if (text.starts_with(other)) return other.size();
    return 0;
  };
  if (thousands == ' ') return starts_with_one_of({"\u00a0", "\u202f", "\u2009"});
  if (thousands == '\'') return starts_with_one_of({"\u2019"});
  return 0;
}

// The digits before the decimal mark, without marks for thousands. False if they are grouped
// wrongly.
bool take_whole(std::string_view& text, char thousands, std::string& digits, bool& is_grouped) {
  size_t group = 0;
  while (!text.empty()) {
    if (is_digit(text[0])) {
      digits += text[0];
      text.remove_prefix(1);
      ++group;
      continue;
    }
    const size_t bytes = mark_bytes(text, thousands);
    if (bytes == 0) break;
    const bool is_first = !is_grouped;
    if (is_first ? group < 1 || group > 3 || digits[0] == '0' : group != 3) return false;
    is_grouped = true;
    group = 0;
    text.remove_prefix(bytes);
  }
  return !is_grouped || group == 3;
}

}  // namespace

std::optional<ReadNumber> parse_number(std::string_view text, const NumberFormat& format) {
  if (text.size() > kMostNumberBytes + format.unit.size()) return std::nullopt;
  text = trimmed(text);
  int sign = 1;
  const bool has_sign = take_sign(text, sign);
  if (!take_unit(text, format.unit)) return std::nullopt;
  if (!has_sign) take_sign(text, sign);
  ReadNumber read;
  std::string digits;
  if (!take_whole(text, format.thousands, digits, read.is_grouped)) return std::nullopt;
  const bool has_digits = !digits.empty();
  if (text.starts_with(format.decimal)) {
    text.remove_prefix(1);
    if (!has_digits && (text.empty() || !is_digit(text[0]))) return std::nullopt;
    digits += has_digits ? "." : "0.";
  } else if (!has_digits) {
    return std::nullopt;
  }
  if (std::ranges::any_of(text, [](char c) {
        return !is_digit(c) && c != 'e' && c != 'E' && c != '+' && c != '-';
      }))
    return std::nullopt;
  digits += text;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), read.value);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  read.value *= sign;
  // What float32 does not hold does not count as a number.
  return std::abs(read.value) < 3e38 ? std::optional(read) : std::nullopt;
}

std::string format_number(double value, const NumberFormat& format) {
  std::string plain = fmt::format("{:.7g}", std::abs(value));
  if (const size_t point = plain.find('.'); point != plain.npos) plain[point] = format.decimal;
  const std::string_view sign = std::signbit(value) && value != 0 ? "-" : "";
  if (format.unit.empty()) return fmt::format("{}{}", sign, plain);
  const bool is_first = format.unit == "$" || format.unit == "£" || format.unit == "¥";
  if (is_first) return fmt::format("{}{}{}", sign, format.unit, plain);
  return fmt::format("{}{}{}{}", sign, plain, format.unit == "%" ? "" : " ", format.unit);
}

std::string_view known_unit(std::string_view text) {
  text = trimmed(text);
  int sign = 1;
  take_sign(text, sign);
  for (const std::string_view unit : kUnits)
    if (text.starts_with(unit) || text.ends_with(unit)) return unit;
  return {};
}

}  // namespace plimsoll
