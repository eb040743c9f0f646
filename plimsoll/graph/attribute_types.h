// What may be an attribute of an op. For each type: how it is signed, its text (a JSON value), and
// how a test makes it another value.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "plimsoll/graph/signature.h"
#include "plimsoll/tensor/layout.h"
#include "plimsoll/tensor/shape.h"

namespace plimsoll {

std::string attribute_text(bool value);
std::string attribute_text(int64_t value);
std::string attribute_text(uint64_t value);
std::string attribute_text(float value);
std::string attribute_text(double value);
std::string attribute_text(std::string_view word);
std::string attribute_text(const std::vector<std::string>& texts);  // a list
std::string attribute_text(const char*) = delete;                   // would be a bool

// A smallest change of a number, so that a signature that loses digits is noticed.
void change_number(float& value);
void change_number(double& value);

template <class T>
struct AttributeType;

template <class T>
requires std::is_integral_v<T>
struct AttributeType<T> {
  static void sign(Signature& to, T value) { to.add(value); }
  static std::string text(T value) {
    if constexpr (std::is_same_v<T, bool>) {
      return attribute_text(value);
    } else if constexpr (std::is_unsigned_v<T>) {
      return attribute_text(uint64_t{value});
    } else {
      return attribute_text(int64_t{value});
    }
  }
  static void change(T& value) { value = static_cast<T>(value ^ T{1}); }
};

template <class T>
requires std::is_floating_point_v<T>
struct AttributeType<T> {
  static void sign(Signature& to, T value) { to.add(static_cast<double>(value)); }
  static std::string text(T value) { return attribute_text(value); }
  static void change(T& value) { change_number(value); }
};

// An enumeration whose words name_of() gives.
template <class T>
requires std::is_enum_v<T>
struct AttributeType<T> {
  static void sign(Signature& to, T value) { to.add(value); }
  static std::string text(T value) { return attribute_text(std::string_view(name_of(value))); }
  static void change(T& value) { value = static_cast<T>(static_cast<int>(value) ^ 1); }
};

template <>
struct AttributeType<Shape> {
  static void sign(Signature& to, const Shape& value) { to.add(value.dims()); }
  static std::string text(const Shape& value);
  static void change(Shape& value);
};

template <>
struct AttributeType<Layout> {
  static void sign(Signature& to, Layout value) { to.add(value.channel_block); }
  static std::string text(Layout value);
  static void change(Layout& value) { value.channel_block ^= 1; }
};

template <class List>
std::string list_text(const List& list) {
  std::vector<std::string> texts;
  for (const auto& one : list)
    texts.push_back(AttributeType<std::remove_cvref_t<decltype(one)>>::text(one));
  return attribute_text(texts);
}

template <class T, size_t kSize>
struct AttributeType<std::array<T, kSize>> {
  static void sign(Signature& to, const std::array<T, kSize>& value) {
    for (const T& one : value) AttributeType<T>::sign(to, one);
  }
  static std::string text(const std::array<T, kSize>& value) { return list_text(value); }
  static void change(std::array<T, kSize>& value) { AttributeType<T>::change(value.back()); }
};

template <class T>
struct AttributeType<std::vector<T>> {
  static void sign(Signature& to, const std::vector<T>& value) {
    to.add(value.size());
    for (const T& one : value) AttributeType<T>::sign(to, one);
  }
  static std::string text(const std::vector<T>& value) { return list_text(value); }
  static void change(std::vector<T>& value) {
    if (value.empty()) value.emplace_back();
    AttributeType<T>::change(value.back());
  }
};

template <class A, class B>
struct AttributeType<std::pair<A, B>> {
  static void sign(Signature& to, const std::pair<A, B>& value) {
    AttributeType<A>::sign(to, value.first);
    AttributeType<B>::sign(to, value.second);
  }
  static std::string text(const std::pair<A, B>& value) {
    return attribute_text(std::vector<std::string>{AttributeType<A>::text(value.first),
                                                   AttributeType<B>::text(value.second)});
  }
  static void change(std::pair<A, B>& value) { AttributeType<B>::change(value.second); }
};

template <class T>
struct AttributeType<std::optional<T>> {
  static void sign(Signature& to, const std::optional<T>& value) {
    to.add(value.has_value());
    if (value) AttributeType<T>::sign(to, *value);
  }
  static std::string text(const std::optional<T>& value) {
    return value ? AttributeType<T>::text(*value) : "null";
  }
  static void change(std::optional<T>& value) {
    if (value) {
      AttributeType<T>::change(*value);
    } else {
      value.emplace();
    }
  }
};

}  // namespace plimsoll
