// Bytes of a file header, put together of little-endian numbers and text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace plimsoll {

class ByteBuilder {
 public:
  ByteBuilder& u8(int64_t value) { return add(value, 1); }
  ByteBuilder& u16(int64_t value) { return add(value, 2); }
  ByteBuilder& u32(int64_t value) { return add(value, 4); }
  ByteBuilder& u64(int64_t value) { return add(value, 8); }
  ByteBuilder& text(std::string_view text) {
    bytes_ += text;
    return *this;
  }
  // Zeros up to a size that is divisible by eight, or up to `size`.
  ByteBuilder& pad() { return pad_to((bytes_.size() + 7) / 8 * 8); }
  ByteBuilder& pad_to(size_t size) {
    if (bytes_.size() < size) bytes_.resize(size);
    return *this;
  }
  int64_t size() const { return static_cast<int64_t>(bytes_.size()); }
  const std::string& bytes() const& { return bytes_; }
  std::string bytes() && { return std::move(bytes_); }

 private:
  ByteBuilder& add(int64_t value, int width) {
    for (int i = 0; i < width; ++i) bytes_ += static_cast<char>(value >> (8 * i) & 0xff);
    return *this;
  }

  std::string bytes_;
};

}  // namespace plimsoll
