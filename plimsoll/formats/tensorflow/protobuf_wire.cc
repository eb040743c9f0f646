#include "plimsoll/formats/tensorflow/protobuf_wire.h"

#include <fmt/format.h>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

[[noreturn]] void refuse(const std::string& name, const std::string& what) {
  throw CorruptFile(name + ": is not a protobuf message: " + what);
}

}  // namespace

uint64_t ProtobufReader::take_varint(std::span<const std::byte>& bytes, const std::string& name) {
  constexpr size_t kMostBytes = 10;
  uint64_t value = 0;
  for (size_t i = 0; i < bytes.size() && i < kMostBytes; ++i) {
    const auto byte = std::to_integer<uint64_t>(bytes[i]);
    value |= (byte & 0x7f) << (7 * i);
    if (byte >= 0x80) continue;
    bytes = bytes.subspan(i + 1);
    return value;
  }
  refuse(name, "a number does not end");
}

uint64_t ProtobufReader::take_fixed(size_t size) {
  if (rest_.size() < size) refuse(name_, "it is cut off inside a number");
  uint64_t value = 0;
  for (size_t i = size; i > 0; --i) value = value << 8 | std::to_integer<uint64_t>(rest_[i - 1]);
  rest_ = rest_.subspan(size);
  return value;
}

void ProtobufReader::take_bytes() {
  const uint64_t size = take_varint(rest_, name_);
  if (size > rest_.size())
    refuse(name_, fmt::format("field {} is said to have {} bytes where {} are left", field_, size,
                              rest_.size()));
  bytes_ = rest_.first(static_cast<size_t>(size));
  rest_ = rest_.subspan(static_cast<size_t>(size));
}

bool ProtobufReader::next() {
  if (rest_.empty()) return false;
  const uint64_t key = take_varint(rest_, name_);
  field_ = key >> 3;
  wire_ = static_cast<Wire>(key & 7);
  switch (wire_) {
    case Wire::varint:
      number_ = take_varint(rest_, name_);
      return true;
    case Wire::fixed64:
      number_ = take_fixed(8);
      return true;
    case Wire::fixed32:
      number_ = take_fixed(4);
      return true;
    case Wire::bytes:
      take_bytes();
      return true;
  }
  refuse(name_, fmt::format("field {} is of kind {}", field_, key & 7));
}

}  // namespace plimsoll
