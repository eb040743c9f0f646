#include "plimsoll/formats/hdf5/hdf5_encoding.h"

#include "plimsoll/formats/bytes/byte_builder.h"
#include "plimsoll/formats/hdf5/hdf5_object_header.h"

namespace plimsoll::hdf5 {
namespace {

using Type = Hdf5MessageType;

// The classes of types, with the version of their encoding before them.
constexpr int kInteger = 0x10, kFloat = 0x11, kVariableLength = 0x19;

std::string integer_type(int size, bool has_sign) {
  ByteBuilder type;
  type.u8(kInteger).u8(has_sign ? 8 : 0).u16(0).u32(size);
  return type.u16(0).u16(8 * size).bytes();
}

// As IEEE 754 has it; the first bit of the mantissa is not stored.
std::string float_type(int size, int exponent_bits, int mantissa_bits, int bias) {
  constexpr int kFirstBitIsImplied = 0x20;
  ByteBuilder type;
  type.u8(kFloat).u8(kFirstBitIsImplied).u8(8 * size - 1).u8(0).u32(size).u16(0).u16(8 * size);
  type.u8(mantissa_bits).u8(exponent_bits).u8(0).u8(mantissa_bits).u32(bias);
  return type.bytes();
}

std::string dataspace(const Shape& shape) {
  ByteBuilder space;
  space.u8(1).u8(shape.rank()).u16(0).u32(0);
  for (const int64_t size : shape) space.u64(size);
  return space.bytes();
}

}  // namespace

std::string superblock(int64_t root, int64_t end) {
  ByteBuilder block;
  block.text("\x89HDF\r\n\x1a\n").u32(0).u8(0).u8(8).u8(8).u8(0);
  block.u16(kMostNamesOfNode / 2).u16(kMostChildrenOfNode / 2).u32(0);
  block.u64(0).u64(kNowhere).u64(end).u64(kNowhere);
  block.u64(0).u64(root).u32(0).u32(0).u64(0).u64(0);
  return block.bytes();
}

std::string number_type(DType dtype) {
  switch (dtype) {
    case DType::int32:
      return integer_type(4, true);
    case DType::int64:
      return integer_type(8, true);
    case DType::uint8:
    case DType::boolean:
      return integer_type(1, false);
    default:
      return float_type(4, 8, 23, 127);
  }
}

std::string unsigned_type() {
  return integer_type(4, false);
}

std::string double_type() {
  return float_type(8, 11, 52, 1023);
}

std::string text_type() {
  constexpr int kText = 1, kUtf8 = 1, kReferenceBytes = 16;
  ByteBuilder type;
  type.u8(kVariableLength).u8(kText).u8(kUtf8).u8(0).u32(kReferenceBytes);
  return type.text(integer_type(1, false)).bytes();
}

Message attribute(const std::string& name, const std::string& type, const Shape& shape,
                  const std::string& elements) {
  const std::string space = dataspace(shape);
  ByteBuilder body;
  body.u8(1).u8(0).u16(std::ssize(name) + 1).u16(std::ssize(type)).u16(std::ssize(space));
  body.text(name).u8(0).pad().text(type).pad().text(space).pad().text(elements);
  return {static_cast<int>(Type::attribute), std::move(body).bytes()};
}

Message symbol_table(int64_t tree, int64_t names) {
  return {static_cast<int>(Type::symbol_table), ByteBuilder().u64(tree).u64(names).bytes()};
}

std::vector<Message> dataset(const std::string& type, const Shape& shape, int64_t address,
                             int64_t bytes) {
  // Elements that were never written have no value of their own.
  constexpr int kLate = 2, kIfSet = 2, kIsDefined = 1;
  ByteBuilder fill, layout;
  fill.u8(2).u8(kLate).u8(kIfSet).u8(kIsDefined).u32(0);
  layout.u8(3).u8(1).u64(address).u64(bytes);
  return {{static_cast<int>(Type::dataspace), dataspace(shape)},
          {static_cast<int>(Type::datatype), type},
          {static_cast<int>(Type::fill_value), fill.bytes()},
          {static_cast<int>(Type::layout), layout.bytes()}};
}

std::string object_header(const std::vector<Message>& messages) {
  ByteBuilder all;
  for (const Message& message : messages) {
    const std::string body = ByteBuilder().text(message.body).pad().bytes();
    all.u16(message.type).u16(std::ssize(body)).u32(0).text(body);
  }
  ByteBuilder header;
  header.u8(1).u8(0).u16(std::ssize(messages)).u32(1).u32(all.size()).pad().text(all.bytes());
  return std::move(header).bytes();
}

}  // namespace plimsoll::hdf5
