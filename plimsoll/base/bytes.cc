#include "plimsoll/base/bytes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <optional>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

struct Unit {
  std::string_view name;
  int64_t bytes;
};

constexpr std::array kUnits = {
    Unit{"", 1},
    Unit{"b", 1},
    Unit{"kb", 1'000},
    Unit{"mb", 1'000'000},
    Unit{"gb", 1'000'000'000},
    Unit{"tb", 1'000'000'000'000},
    Unit{"kib", int64_t{1} << 10},
    Unit{"mib", int64_t{1} << 20},
    Unit{"gib", int64_t{1} << 30},
    Unit{"tib", int64_t{1} << 40},
    Unit{"k", int64_t{1} << 10},
    Unit{"m", int64_t{1} << 20},
    Unit{"g", int64_t{1} << 30},
    Unit{"t", int64_t{1} << 40},
};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::optional<int64_t> unit_bytes(std::string_view name) {
  const auto same_letters = [&](const Unit& unit) {
    return std::ranges::equal(unit.name, name, {}, {}, lower);
  };
  const auto unit = std::ranges::find_if(kUnits, same_letters);
  if (unit == kUnits.end()) return std::nullopt;
  return unit->bytes;
}

[[noreturn]] void refuse(std::string_view text, std::string_view reason) {
  throw InvalidArgument("bytes: '" + std::string(text) + "' " + std::string(reason) +
                        " (write a number of bytes as 4096, 512M, 512MiB, 1.5GiB or 200MB)");
}

}  // namespace

int64_t parse_bytes(std::string_view text) {
  // Checked by hand because from_chars also reads "-1", "inf" and "nan".
  if (text.empty() || !is_digit(text.front())) refuse(text, "does not begin with a digit");
  // A long double holds every int64_t exactly.
  long double number = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number, std::chars_format::fixed);
  if (parsed.ec == std::errc::result_out_of_range) refuse(text, "is too large");

  std::string_view unit_name(parsed.ptr, static_cast<size_t>(end - parsed.ptr));
  if (unit_name.size() > 1 && unit_name.front() == ' ') unit_name.remove_prefix(1);
  const std::optional<int64_t> unit = unit_bytes(unit_name);
  if (!unit) refuse(text, "has an unknown unit '" + std::string(unit_name) + "'");

  const long double bytes = number * static_cast<long double>(*unit);
  if (bytes >= 0x1p63L) refuse(text, "is too large");
  return static_cast<int64_t>(bytes);
}

std::string format_bytes(int64_t bytes) {
  if (bytes > -1024 && bytes < 1024) return fmt::format("{} B", bytes);
  constexpr std::array kNames = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double value = static_cast<double>(bytes) / 1024;
  size_t unit = 0;
  // 1023.95 would be written as 1024.0 of the smaller unit.
  while (std::abs(value) >= 1023.95 && unit + 1 < kNames.size()) {
    value /= 1024;
    ++unit;
  }
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%.1f %s", value, kNames[unit]);
  return text.data();
}

}  // namespace plimsoll
