// The fields of a protobuf message, one after the other, as views of its bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace plimsoll {

class ProtobufReader {
 public:
  enum class Wire { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

  // Both must outlive the reader; `name` begins an error.
  ProtobufReader(std::span<const std::byte> message, const std::string& name)
      : rest_(message), name_(name) {}

  // Goes to the next field; false at the end. CorruptFile where the message is not whole.
  bool next();

  uint64_t field() const { return field_; }
  Wire wire() const { return wire_; }
  uint64_t number() const { return number_; }                  // of a varint or fixed field
  std::span<const std::byte> bytes() const { return bytes_; }  // of a field of bytes
  // The bytes after the field.
  std::span<const std::byte> rest() const { return rest_; }

  // Takes a number from the front of `bytes`, which is not empty.
  static uint64_t take_varint(std::span<const std::byte>& bytes, const std::string& name);

 private:
  uint64_t take_fixed(size_t size);
  void take_bytes();

  std::span<const std::byte> rest_;
  const std::string& name_;
  uint64_t field_ = 0, number_ = 0;
  Wire wire_ = Wire::varint;
  std::span<const std::byte> bytes_;
};

}  // namespace plimsoll
