#include "plimsoll/base/printable.h"

#include <array>
#include <cstdint>
#include <cstdio>

#include "plimsoll/base/character_columns.h"

namespace plimsoll {
namespace {

// One character of a text.
struct Decoded {
  uint32_t code = 0;
  size_t bytes = 1;
  bool is_valid = false;
};

uint8_t byte_at(std::string_view text, size_t i) {
  return static_cast<uint8_t>(text[i]);
}

// The first character. A surrogate, a longer form than needed and what lies beyond Unicode are not
// valid.
Decoded decode(std::string_view text) {
  const uint8_t lead = byte_at(text, 0);
  if (lead < 0x80) return {lead, 1, true};
  const size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < bytes) return {lead};
  uint32_t code = lead & (0x7fu >> bytes);
  for (size_t i = 1; i < bytes; ++i) {
    if ((byte_at(text, i) & 0xc0) != 0x80) return {lead};
    code = code << 6 | (byte_at(text, i) & 0x3fu);
  }
  constexpr std::array<uint32_t, 5> kLeast = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = code >= 0xd800 && code < 0xe000;
  if (code < kLeast[bytes] || code > 0x10ffff || is_surrogate) return {lead};
  return {code, bytes, true};
}

bool is_control(uint32_t code) {
  const bool breaks_lines = code == 0x2028 || code == 0x2029;
  const bool reorders = code == 0x061c || code == 0x200e || code == 0x200f ||
                        (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || breaks_lines || reorders;
}

std::string written_out(uint32_t code) {
  if (code == '\n') return "\\n";
  if (code == '\r') return "\\r";
  if (code == '\t') return "\\t";
  std::array<char, 16> text;
  std::snprintf(text.data(), text.size(), code < 0x100 ? "\\x%02x" : "\\u%04x", code);
  return text.data();
}

std::string written_for_json(uint32_t code) {
  std::array<char, 16> text;
  std::snprintf(text.data(), text.size(), "\\u%04x", code);
  return text.data();
}

template <class IsShown>
std::string with_others_written_out(std::string_view text, const IsShown& is_shown,
                                    std::string (*write)(uint32_t) = written_out) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const Decoded one = decode(text);
    if (one.is_valid && is_shown(one.code))
      result += text.substr(0, one.bytes);
    else
      result += write(one.code);
    text.remove_prefix(one.bytes);
  }
  return result;
}

}  // namespace

std::string printable(std::string_view text) {
  return with_others_written_out(text, [](uint32_t code) { return !is_control(code); });
}

std::string printable_lines(std::string_view text) {
  return with_others_written_out(text,
                                 [](uint32_t code) { return code == '\n' || !is_control(code); });
}

std::string printable_json(std::string_view json) {
  return with_others_written_out(
      json, [](uint32_t code) { return code == '\n' || !is_control(code); }, written_for_json);
}

std::string valid_utf8(std::string_view text) {
  return with_others_written_out(text, [](uint32_t) { return true; });
}

size_t columns_of(std::string_view text) {
  size_t columns = 0;
  while (!text.empty()) {
    const Decoded one = decode(text);
    columns += columns_of_character(one.code);
    text.remove_prefix(one.bytes);
  }
  return columns;
}

std::string_view within_columns(std::string_view text, size_t columns) {
  size_t bytes = 0;
  while (bytes < text.size()) {
    const Decoded one = decode(text.substr(bytes));
    const size_t width = columns_of_character(one.code);
    if (width > columns) break;
    columns -= width;
    bytes += one.bytes;
  }
  return text.substr(0, bytes);
}

}  // namespace plimsoll
