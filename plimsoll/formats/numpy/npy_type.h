// The element types of NumPy's files, and what becomes of them here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "plimsoll/tensor/dtype.h"

namespace plimsoll {

struct NpyType {
  char kind = 'f';          // 'f' float, 'i' integer, 'u' unsigned, 'b' bool
  int size = 4;             // bytes per element in the file
  bool is_swapped = false;  // the file's byte order is not this machine's

  // Every float becomes float32; int8, int16 and uint16 become int32; uint32
  // and uint64 int64.
  DType dtype() const;
  // True if the file's bytes can be used as they are.
  bool is_plain() const;
  // Converts `count` elements; false where one has no place in dtype() (a
  // uint64 from 2^63 on).
  bool convert(const std::byte* from, int64_t count, std::byte* into) const;

  bool operator==(const NpyType&) const = default;
};

// Reads "<f4", "|b1", ">i8". CorruptFile, naming `file`, where it is no type or
// one of objects, text, dates or complex numbers, saying what to save instead.
NpyType parse_npy_type(std::string_view text, const std::string& file);
// "<f4"
std::string_view npy_name(DType dtype);

}  // namespace plimsoll
