// The bytes that say what an op or a graph is: equal bytes, equal meaning. Plans are found by them.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "plimsoll/tensor/spec.h"

namespace plimsoll {

class Signature {
 public:
  void clear() { bytes_.clear(); }
  const std::string& bytes() const { return bytes_; }

  template <std::integral T>
  Signature& add(T value) {
    return add_raw(static_cast<int64_t>(value));
  }
  template <class T>
  requires std::is_enum_v<T> Signature& add(T value) {
    return add_raw(static_cast<int64_t>(value));
  }
  Signature& add(double value) { return add_raw(value); }
  Signature& add(std::string_view text) {
    add(text.size());
    bytes_.append(text);
    return *this;
  }
  Signature& add(std::span<const int64_t> numbers) {
    add(numbers.size());
    for (int64_t number : numbers) add(number);
    return *this;
  }
  Signature& add(const Spec& spec) { return add(spec.dtype).add(spec.shape.dims()); }

 private:
  template <class T>
  Signature& add_raw(T value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    return *this;
  }

  std::string bytes_;
};

}  // namespace plimsoll
