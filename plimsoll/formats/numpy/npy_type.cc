#include "plimsoll/formats/numpy/npy_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "plimsoll/base/error.h"
#include "plimsoll/tensor/text.h"

namespace plimsoll {
namespace {

// IEEE 754 half precision, kept as its bits.
struct Half {
  uint16_t bits;

  operator float() const {
    const int exponent = bits >> 10 & 31;
    const int mantissa = bits & 1023;
    float value = std::ldexp(static_cast<float>(mantissa), -24);
    if (exponent == 31)
      value = mantissa == 0 ? std::numeric_limits<float>::infinity()
                            : std::numeric_limits<float>::quiet_NaN();
    else if (exponent > 0)
      value = std::ldexp(static_cast<float>(mantissa + 1024), exponent - 25);
    return (bits & 0x8000) != 0 ? -value : value;
  }
};

template <class T>
T load(const std::byte* from, bool is_swapped) {
  std::array<std::byte, sizeof(T)> raw;
  std::memcpy(raw.data(), from, sizeof(T));
  if (is_swapped) std::reverse(raw.begin(), raw.end());
  return std::bit_cast<T>(raw);
}

template <class From, class To>
bool convert_all(const std::byte* from, int64_t count, std::byte* into, bool is_swapped) {
  for (int64_t i = 0; i < count; ++i) {
    const From value = load<From>(from + i * static_cast<int64_t>(sizeof(From)), is_swapped);
    if constexpr (std::is_same_v<From, uint64_t>)
      if (value > static_cast<uint64_t>(std::numeric_limits<To>::max())) return false;
    const To converted = static_cast<To>(value);
    std::memcpy(into + i * static_cast<int64_t>(sizeof(To)), &converted, sizeof(To));
  }
  return true;
}

// A bool is 0 or 1 here; NumPy takes any other byte for true as well.
bool convert_bools(const std::byte* from, int64_t count, std::byte* into) {
  for (int64_t i = 0; i < count; ++i)
    into[i] = from[i] == std::byte{0} ? std::byte{0} : std::byte{1};
  return true;
}

bool is_known(char kind, int size) {
  switch (kind) {
    case 'f':
      return size == 2 || size == 4 || size == 8;
    case 'i':
    case 'u':
      return size == 1 || size == 2 || size == 4 || size == 8;
    case 'b':
      return size == 1;
    case 'S':
      return size >= 1;
    case 'U':
      return size >= 4;
    default:
      return false;
  }
}

void append_utf8(uint32_t character, std::string& text) {
  const auto add = [&](uint32_t byte) { text.push_back(static_cast<char>(byte)); };
  if (character < 0x80) return add(character);
  if (character < 0x800) {
    add(0xc0 | character >> 6);
  } else {
    if (character < 0x10000) {
      add(0xe0 | character >> 12);
    } else {
      add(0xf0 | character >> 18);
      add(0x80 | (character >> 12 & 0x3f));
    }
    add(0x80 | (character >> 6 & 0x3f));
  }
  add(0x80 | (character & 0x3f));
}

// A character takes at most the 4 bytes that it has in the file.
bool convert_characters(const std::byte* from, int64_t count, int size, std::byte* into,
                        bool is_swapped) {
  std::string text;
  for (int64_t i = 0; i < count; ++i, from += size, into += size) {
    text.clear();
    for (int at = 0; at < size; at += 4) {
      const auto character = load<uint32_t>(from + at, is_swapped);
      if (character > 0x10ffff) return false;
      append_utf8(character, text);
    }
    while (!text.empty() && text.back() == 0) text.pop_back();
    write_text(text, into, size);
  }
  return true;
}

bool convert_texts(const std::byte* from, int64_t count, int size, std::byte* into, int64_t slot) {
  for (int64_t i = 0; i < count; ++i)
    write_text(text_in(from + i * size, size), into + i * slot, slot);
  return true;
}

// The number that the text is; 0 if it is not a number, or a large one.
int digits_of(std::string_view text) {
  constexpr size_t kMostDigits = 8;
  int number = 0;
  if (text.empty() || text.size() > kMostDigits || text[0] == '0') return 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return 0;
    number = number * 10 + (c - '0');
  }
  return number;
}

std::string why_not(char kind) {
  switch (kind) {
    case 'O':
      return "Python objects, which are never loaded; save an array of numbers";
    case 'c':
      return "complex numbers; save the real and imaginary parts apart";
    case 'M':
    case 'm':
      return "dates; save them as numbers";
    default:
      return "elements of a type that is not understood; save float32, int32, "
             "int64, uint8 or bool";
  }
}

}  // namespace

DType NpyType::dtype() const {
  switch (kind) {
    case 'b':
      return DType::boolean;
    case 'u':
      return size == 1 ? DType::uint8 : size == 2 ? DType::int32 : DType::int64;
    case 'i':
      return size == 8 ? DType::int64 : DType::int32;
    default:
      return is_text() ? DType::string : DType::float32;
  }
}

int64_t NpyType::bytes_here() const {
  return size_of(dtype()) * (is_text() ? slot_for(size) : 1);
}

bool NpyType::is_plain() const {
  if (is_swapped && size > 1) return false;
  return (kind == 'f' && size == 4) || (kind == 'i' && size >= 4) || (kind == 'u' && size == 1);
}

bool NpyType::convert(const std::byte* from, int64_t count, std::byte* into) const {
  if (kind == 'b') return convert_bools(from, count, into);
  if (kind == 'U') return convert_characters(from, count, size, into, is_swapped);
  if (kind == 'S') return convert_texts(from, count, size, into, bytes_here());
  if (kind == 'f') {
    if (size == 2) return convert_all<Half, float>(from, count, into, is_swapped);
    if (size == 4) return convert_all<float, float>(from, count, into, is_swapped);
    return convert_all<double, float>(from, count, into, is_swapped);
  }
  if (kind == 'i') {
    if (size == 1) return convert_all<int8_t, int32_t>(from, count, into, is_swapped);
    if (size == 2) return convert_all<int16_t, int32_t>(from, count, into, is_swapped);
    if (size == 4) return convert_all<int32_t, int32_t>(from, count, into, is_swapped);
    return convert_all<int64_t, int64_t>(from, count, into, is_swapped);
  }
  if (size == 1) return convert_all<uint8_t, uint8_t>(from, count, into, is_swapped);
  if (size == 2) return convert_all<uint16_t, int32_t>(from, count, into, is_swapped);
  if (size == 4) return convert_all<uint32_t, int64_t>(from, count, into, is_swapped);
  return convert_all<uint64_t, int64_t>(from, count, into, is_swapped);
}

NpyType parse_npy_type(std::string_view text, const std::string& file) {
  NpyType type;
  const std::string_view orders = "<>|=";
  const bool has_order = !text.empty() && orders.find(text[0]) != orders.npos;
  const std::string_view rest = text.substr(has_order ? 1 : 0);
  if (rest.empty())
    throw CorruptFile(fmt::format("{}: '{}' is not a NumPy element type", file, text));
  type.kind = rest[0];
  type.size = digits_of(rest.substr(1)) * (type.kind == 'U' ? 4 : 1);
  if (!is_known(type.kind, type.size))
    throw CorruptFile(
        fmt::format("{}: has elements of type '{}': {}", file, text, why_not(type.kind)));
  const char foreign = std::endian::native == std::endian::little ? '>' : '<';
  type.is_swapped = has_order && text[0] == foreign && type.size > 1;
  return type;
}

std::string_view npy_name(DType dtype) {
  static_assert(std::endian::native == std::endian::little);
  switch (dtype) {
    case DType::int32:
      return "<i4";
    case DType::int64:
      return "<i8";
    case DType::uint8:
      return "|u1";
    case DType::boolean:
      return "|b1";
    default:
      return "<f4";  // text has a length, too: see npy_header_text
  }
}

}  // namespace plimsoll
