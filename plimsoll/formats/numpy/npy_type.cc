#include "plimsoll/formats/numpy/npy_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "plimsoll/base/error.h"

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
    default:
      return false;
  }
}

std::string why_not(char kind) {
  switch (kind) {
    case 'O':
      return "Python objects, which are never loaded; save an array of numbers";
    case 'U':
    case 'S':
      return "text; save the numbers of the classes instead";
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
      return DType::float32;
  }
}

bool NpyType::is_plain() const {
  if (is_swapped && size > 1) return false;
  return (kind == 'f' && size == 4) || (kind == 'i' && size >= 4) || (kind == 'u' && size == 1);
}

bool NpyType::convert(const std::byte* from, int64_t count, std::byte* into) const {
  if (kind == 'b') return convert_bools(from, count, into);
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
  type.size = rest.size() == 2 && rest[1] >= '1' && rest[1] <= '9' ? rest[1] - '0' : 0;
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
      return "<f4";
  }
}

}  // namespace plimsoll
