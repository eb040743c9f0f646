// The element types of a tensor.
#pragma once

#include <cstdint>
#include <string_view>

namespace plimsoll {

// An element of `string` is a part of a slot for one text: see text.h.
enum class DType : uint8_t { float32, int32, int64, uint8, boolean, string };

constexpr int64_t size_of(DType dtype) {
  switch (dtype) {
    case DType::int64:
      return 8;
    case DType::uint8:
    case DType::boolean:
      return 1;
    default:
      return 4;
  }
}

// Keras's names: "float32", "int32", "int64", "uint8", "bool", "string".
std::string_view name_of(DType dtype);

constexpr bool is_integer(DType dtype) {
  return dtype == DType::int32 || dtype == DType::int64 || dtype == DType::uint8;
}

// The dtype of a C++ element type; bool is stored as one byte, 0 or 1.
template <class T>
struct DTypeOf;
template <>
struct DTypeOf<float> {
  static constexpr DType value = DType::float32;
};
template <>
struct DTypeOf<int32_t> {
  static constexpr DType value = DType::int32;
};
template <>
struct DTypeOf<int64_t> {
  static constexpr DType value = DType::int64;
};
template <>
struct DTypeOf<uint8_t> {
  static constexpr DType value = DType::uint8;
};
template <>
struct DTypeOf<bool> {
  static constexpr DType value = DType::boolean;
};

// Calls visitor(T{}) with the C++ type that stores `dtype` (uint8_t for boolean).
template <class Visitor>
decltype(auto) visit_dtype(DType dtype, Visitor&& visitor) {
  switch (dtype) {
    case DType::int32:
      return visitor(int32_t{});
    case DType::int64:
      return visitor(int64_t{});
    case DType::uint8:
    case DType::boolean:
      return visitor(uint8_t{});
    default:
      return visitor(float{});
  }
}

}  // namespace plimsoll
