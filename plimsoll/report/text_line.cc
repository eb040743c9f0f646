#include "plimsoll/report/text_line.h"

#include <cmath>

#include "plimsoll/base/printable.h"

namespace plimsoll {

void TextLine::add_name(std::string_view name) {
  const auto is_plain = [](char c) { return c >= ' ' && c < '\x7f'; };
  if (std::ranges::all_of(name, is_plain))
    add_text(name);
  else
    add_text(printable(name));
}

void TextLine::add_count(int64_t number) {
  if (number >= 1000) {
    add_count(number / 1000);
    add(",%03d", static_cast<int>(number % 1000));
  } else {
    add("%d", static_cast<int>(number));
  }
}

void TextLine::add_duration(double seconds) {
  const auto whole = static_cast<long>(std::lround(seconds));
  if (whole >= 3600)
    add("%ld:%02ld:%02ld", whole / 3600, whole / 60 % 60, whole % 60);
  else
    add("%ld:%02ld", whole / 60, whole % 60);
}

void TextLine::add_mebibytes(int64_t bytes) {
  add("%.1f MiB", static_cast<double>(bytes) / (1 << 20));
}

void TextLine::add_metric(double value) {
  const bool is_tiny = value != 0 && std::abs(value) < 1e-3;
  add(is_tiny ? "%.3e" : "%.4f", value);
}

// All bytes of a code are columns of their own to columns_of: ESC counts as one.
size_t TextLine::columns() const {
  return columns_of(text()) - code_bytes_;
}

}  // namespace plimsoll
