#include "plimsoll/formats/bytes/stored_numbers.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include "plimsoll/tensor/half.h"

namespace plimsoll {
namespace {

using Kind = StoredType::Kind;

template <class T>
T saturated(double value) {
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(value);
  } else {
    if (std::isnan(value)) return 0;
    if (value <= static_cast<double>(std::numeric_limits<T>::min()))
      return std::numeric_limits<T>::min();
    if (value >= static_cast<double>(std::numeric_limits<T>::max()))
      return std::numeric_limits<T>::max();
    return static_cast<T>(value);
  }
}

template <class T>
T saturated(int64_t value) {
  if constexpr (std::is_floating_point_v<T>)
    return static_cast<T>(value);
  else
    return static_cast<T>(
        std::clamp<int64_t>(value, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
}

uint64_t bits_of(const std::byte* element, const StoredType& type) {
  uint64_t bits = 0;
  for (int64_t i = 0; i < type.size; ++i)
    bits = bits << 8 | std::to_integer<uint64_t>(element[type.big_endian ? i : type.size - 1 - i]);
  return bits;
}

double real_of(uint64_t bits, const StoredType& type) {
  if (type.kind == Kind::bfloat16) return bfloat16_to_float(static_cast<uint16_t>(bits));
  if (type.size == 2) return half_to_float(static_cast<uint16_t>(bits));
  if (type.size == 4) return std::bit_cast<float>(static_cast<uint32_t>(bits));
  return std::bit_cast<double>(bits);
}

int64_t integer_of(uint64_t bits, const StoredType& type) {
  if (type.kind == Kind::boolean) return bits != 0 ? 1 : 0;
  if (type.kind == Kind::signed_integer) {
    const int64_t unused = 64 - 8 * type.size;
    return static_cast<int64_t>(bits << unused) >> unused;
  }
  return static_cast<int64_t>(std::min(bits, uint64_t{std::numeric_limits<int64_t>::max()}));
}

template <class T>
T convert(const std::byte* element, const StoredType& type) {
  const uint64_t bits = bits_of(element, type);
  if (type.kind == Kind::real || type.kind == Kind::bfloat16)
    return saturated<T>(real_of(bits, type));
  return saturated<T>(integer_of(bits, type));
}

bool is_stored_as(const StoredType& type, DType wanted) {
  constexpr bool is_little = std::endian::native == std::endian::little;
  const bool same_order = type.size == 1 || type.big_endian != is_little;
  return same_order && type.kind != Kind::bfloat16 && wanted != DType::boolean &&
         wanted == type.dtype() && type.size == size_of(wanted);
}

}  // namespace

DType StoredType::dtype() const {
  if (kind == Kind::boolean) return DType::boolean;
  if (kind == Kind::signed_integer) return size == 8 ? DType::int64 : DType::int32;
  if (kind != Kind::unsigned_integer) return DType::float32;
  if (size == 1) return DType::uint8;
  return size == 2 ? DType::int32 : DType::int64;
}

void convert_numbers(const std::byte* from, int64_t count, const StoredType& type, DType wanted,
                     std::byte* into) {
  if (is_stored_as(type, wanted)) {
    std::copy_n(from, count * type.size, into);
    return;
  }
  visit_dtype(wanted, [&](auto zero) {
    using T = decltype(zero);
    auto* out = reinterpret_cast<T*>(into);
    for (int64_t i = 0; i < count; ++i) out[i] = convert<T>(from + i * type.size, type);
  });
  if (wanted == DType::boolean)
    for (int64_t i = 0; i < count; ++i) into[i] = into[i] == std::byte{0} ? into[i] : std::byte{1};
}

void read_numbers(ByteSource& source, int64_t offset, const StoredType& type, DType wanted,
                  std::span<std::byte> into) {
  if (is_stored_as(type, wanted)) return source.read_at(offset, into);
  constexpr int64_t kPieceElements = 8192;
  std::vector<std::byte> piece(static_cast<size_t>(kPieceElements * type.size));
  const auto elements = static_cast<int64_t>(into.size()) / size_of(wanted);
  for (int64_t at = 0; at < elements; at += kPieceElements) {
    const int64_t count = std::min(kPieceElements, elements - at);
    source.read_at(offset + at * type.size,
                   std::span(piece).first(static_cast<size_t>(count * type.size)));
    convert_numbers(piece.data(), count, type, wanted, into.data() + at * size_of(wanted));
  }
}

}  // namespace plimsoll
