#include "plimsoll/formats/tensorflow/protobuf_writer.h"

#include <bit>

#include "plimsoll/formats/tensorflow/protobuf_wire.h"

namespace plimsoll {
namespace {

using Wire = ProtobufReader::Wire;

uint64_t key_of(int field, Wire wire) {
  return static_cast<uint64_t>(field) << 3 | static_cast<uint64_t>(wire);
}

}  // namespace

void ProtobufWriter::varint(uint64_t value) {
  for (; value > 0x7f; value >>= 7) text_ += static_cast<char>((value & 0x7f) | 0x80);
  text_ += static_cast<char>(value);
}

ProtobufWriter& ProtobufWriter::number(int field, int64_t value) {
  varint(key_of(field, Wire::varint));
  varint(static_cast<uint64_t>(value));
  return *this;
}

ProtobufWriter& ProtobufWriter::real(int field, double value) {
  varint(key_of(field, Wire::fixed64));
  const auto bits = std::bit_cast<uint64_t>(value);
  for (int i = 0; i < 8; ++i) text_ += static_cast<char>(bits >> (8 * i) & 0xff);
  return *this;
}

ProtobufWriter& ProtobufWriter::bytes(int field, std::string_view value) {
  varint(key_of(field, Wire::bytes));
  varint(value.size());
  text_ += value;
  return *this;
}

}  // namespace plimsoll
