// ProtobufWriter: the bytes of a protobuf message, field by field in the order of the calls.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace plimsoll {

class ProtobufWriter {
 public:
  // A varint: an integer, an enum or a bool. Negative numbers take ten bytes.
  ProtobufWriter& number(int field, int64_t value);
  // A double.
  ProtobufWriter& real(int field, double value);
  // A text, bytes or a whole message.
  ProtobufWriter& bytes(int field, std::string_view value);

  const std::string& text() const { return text_; }

 private:
  void varint(uint64_t value);

  std::string text_;
};

}  // namespace plimsoll
