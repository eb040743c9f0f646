// The bytes that say what an op or a graph is: equal bytes, equal meaning. Plans are found by them.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "plimsoll/tensor/spec.h"

namespace plimsoll {

class Signature {
 public:
  void clear() { used_ = 0; }
  std::string_view bytes() const { return {buffer_.data(), used_}; }
  // The bytes; leaves the signature empty.
  std::string take() {
    buffer_.resize(std::exchange(used_, 0));
    return std::move(buffer_);
  }

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
    return append(text.data(), text.size());
  }
  Signature& add(std::span<const int64_t> numbers) {
    add(numbers.size());
    return append(numbers.data(), numbers.size_bytes());
  }
  Signature& add(const Spec& spec) { return add(spec.dtype).add(spec.shape.dims()); }

 private:
  template <class T>
  Signature& add_raw(T value) {
    return append(&value, sizeof value);
  }
  // Every step of a loop written by hand is signed: this is a copy and a test for room, without the
  // call that std::string::append is.
  Signature& append(const void* from, size_t size) {
    if (buffer_.size() - used_ < size) [[unlikely]]
      grow(size);
    if (size > 0) std::memcpy(buffer_.data() + used_, from, size);
    used_ += size;
    return *this;
  }
  [[gnu::noinline]] void grow(size_t size) {
    buffer_.resize(std::max({size_t{256}, 2 * buffer_.size(), used_ + size}));
  }

  std::string buffer_;  // its first used_ bytes
  size_t used_ = 0;
};

}  // namespace plimsoll
