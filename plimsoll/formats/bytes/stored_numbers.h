// Numbers as files of weights store them, and their way into tensors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "plimsoll/formats/bytes/byte_source.h"
#include "plimsoll/tensor/dtype.h"

namespace plimsoll {

struct StoredType {
  enum class Kind {
    signed_integer,
    unsigned_integer,
    real,      // IEEE 754 of 2, 4 or 8 bytes
    bfloat16,  // the upper half of a float
    boolean,   // a byte, 0 or 1
  };

  Kind kind = Kind::real;
  int64_t size = 4;  // bytes per element
  bool big_endian = false;

  // The one that holds its numbers best: float32 for floating point of any size.
  DType dtype() const;
};

// Fills `into` with the numbers that begin at `offset`, as `wanted`: straight from the source where
// they are stored so, else piece by piece. A number beyond the range becomes the least or greatest.
void read_numbers(ByteSource& source, int64_t offset, const StoredType& type, DType wanted,
                  std::span<std::byte> into);

// The same from memory: `count` numbers, which need not be aligned.
void convert_numbers(const std::byte* from, int64_t count, const StoredType& type, DType wanted,
                     std::byte* into);

}  // namespace plimsoll
