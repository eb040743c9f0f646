// The element types of NumPy's files, and what becomes of them here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "plimsoll/tensor/dtype.h"

namespace plimsoll {

struct NpyType {
  // 'f' float, 'i' integer, 'u' unsigned, 'b' bool; 'S' text in bytes, 'U' in characters of 4 bytes
  char kind = 'f';
  int size = 4;             // bytes per element in the file
  bool is_swapped = false;  // the file's byte order is not this machine's

  // Every float becomes float32; int8, int16 and uint16 become int32; uint32
  // and uint64 int64; text of both kinds becomes UTF-8.
  DType dtype() const;
  bool is_text() const { return kind == 'S' || kind == 'U'; }
  // Of an element here; of text, of its slot.
  int64_t bytes_here() const;
  // True if the file's bytes can be used as they are.
  bool is_plain() const;
  // Converts `count` elements; false where one has no place in dtype() (a
  // uint64 from 2^63 on, a character above U+10FFFF).
  bool convert(const std::byte* from, int64_t count, std::byte* into) const;

  bool operator==(const NpyType&) const = default;
};

// Reads "<f4", "|b1", ">i8". CorruptFile, naming `file`, where it is no type or
// one of objects, dates or complex numbers, saying what to save instead.
NpyType parse_npy_type(std::string_view text, const std::string& file);
// "<f4"
std::string_view npy_name(DType dtype);

}  // namespace plimsoll
