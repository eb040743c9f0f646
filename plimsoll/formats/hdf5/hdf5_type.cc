#include "plimsoll/formats/hdf5/hdf5_type.h"

#include <fmt/format.h>

#include <array>
#include <string>

namespace plimsoll {
namespace {

using Kind = Hdf5Type::Kind;
using Number = StoredType::Kind;

// The format's classes of datatypes that are read.
enum Class { kInteger = 0, kFloat = 1, kText = 3, kOpaque = 5, kEnumeration = 8, kVariable = 9 };

Hdf5Type number(Number kind, uint64_t size, bool big_endian) {
  return {Kind::number, size, {kind, static_cast<int64_t>(size), big_endian}};
}

bool is_power_of_two_up_to_8(uint64_t size) {
  return size == 1 || size == 2 || size == 4 || size == 8;
}

Hdf5Type read_integer(Hdf5Block& block, uint64_t bits, uint64_t size) {
  block.expect(2, 0, "a bit offset of");
  block.expect(2, size * 8, "a precision of");
  if (!is_power_of_two_up_to_8(size)) block.refuse(fmt::format("has integers of {} bytes", size));
  return number((bits & 8) != 0 ? Number::signed_integer : Number::unsigned_integer, size,
                (bits & 1) != 0);
}

// The places of the parts of a number, in bits.
struct FloatFormat {
  uint64_t size, exponent_at, exponent_bits, mantissa_bits, bias;
  Number kind;
};
constexpr std::array kFloatFormats = {
    FloatFormat{2, 10, 5, 10, 15, Number::real}, FloatFormat{2, 7, 8, 7, 127, Number::bfloat16},
    FloatFormat{4, 23, 8, 23, 127, Number::real}, FloatFormat{8, 52, 11, 52, 1023, Number::real}};

Hdf5Type read_float(Hdf5Block& block, uint64_t bits, uint64_t size) {
  block.expect(2, 0, "a bit offset of");
  block.expect(2, size * 8, "a precision of");
  const uint64_t exponent_at = block.byte(), exponent_bits = block.byte();
  const uint64_t mantissa_at = block.byte(), mantissa_bits = block.byte(), bias = block.number(4);
  const uint64_t sign_at = bits >> 8 & 0xff;
  for (const FloatFormat& format : kFloatFormats)
    if (size == format.size && exponent_at == format.exponent_at &&
        exponent_bits == format.exponent_bits && mantissa_at == 0 &&
        mantissa_bits == format.mantissa_bits && bias == format.bias && sign_at == size * 8 - 1 &&
        (bits & 0x40) == 0)
      return number(format.kind, size, (bits & 1) != 0);
  block.refuse("has floating-point numbers of another form than IEEE 754");
}

// What an enumeration or a variable text is made of: a type that holds no other.
Hdf5Type read_base(Hdf5Block& block) {
  Hdf5Block ahead = block;
  if (const int kind = ahead.byte() & 0xf; kind != kInteger && kind != kText)
    block.refuse(fmt::format("is made of a datatype of class {}", kind));
  return read_datatype(block);
}

// h5py's bool: the names of 0 and 1 do not matter here.
Hdf5Type read_enumeration(Hdf5Block& block) {
  const Hdf5Type base = read_base(block);
  if (base.size != 1) block.refuse(fmt::format("is an enumeration of {} bytes", base.size));
  return number(Number::boolean, 1, false);
}

Hdf5Type read_variable(Hdf5Block& block, uint64_t bits, uint64_t size) {
  if ((bits & 0xf) != 1) block.refuse("is a list of variable length");
  if (size != 16) block.refuse(fmt::format("has references of {} bytes", size));
  read_base(block);
  return {Kind::variable_text, size, {}};
}

}  // namespace

Hdf5Type read_datatype(Hdf5Block& block) {
  const uint8_t head = block.byte();
  const int version = head >> 4, kind = head & 0xf;
  const uint64_t bits = block.number(3), size = block.number(4);
  if (version < 1 || version > 3)
    block.refuse(fmt::format("has a datatype of version {}", version));
  if (size == 0) block.refuse("has a datatype of no bytes");
  switch (kind) {
    case kInteger:
      return read_integer(block, bits, size);
    case kFloat:
      return read_float(block, bits, size);
    case kText:
      return {(bits & 0xf) == 2 ? Kind::spaced_text : Kind::text, size, {}};
    case kOpaque:
      return {Kind::opaque, size, {}};
    case kEnumeration:
      return read_enumeration(block);
    case kVariable:
      return read_variable(block, bits, size);
    default:
      block.refuse(fmt::format("has a datatype of class {}; numbers and text are read", kind));
  }
}

Shape read_dataspace(Hdf5Block& block) {
  const uint8_t version = block.byte(), rank = block.byte(), flags = block.byte();
  if (version != 1 && version != 2)
    block.refuse(fmt::format("has a dataspace of version {}", version));
  if (rank > Shape::kMaxRank)
    block.refuse(fmt::format("has {} dimensions, at most {} are read", rank, Shape::kMaxRank));
  if ((flags & ~1) != 0) block.refuse("has dimensions in another order");
  const bool is_empty = block.byte() == 2 && version == 2;
  if (version == 1) block.skip(4);
  if (is_empty) return {0};
  Shape shape;
  uint64_t elements = 1;
  for (int i = 0; i < rank; ++i) {
    const uint64_t dim = block.number(8);
    constexpr uint64_t kMost = uint64_t{1} << 44;
    if (dim > kMost || (dim > 0 && elements > kMost / dim)) block.refuse("has too many elements");
    elements *= dim;
    shape.push_back(static_cast<int64_t>(dim));
  }
  return shape;
}

}  // namespace plimsoll
