// The header of a .npy file: a magic number, and the text of a Python
// dictionary that says the element type, the order and the shape. It is parsed,
// never evaluated.
#pragma once

#include <string>
#include <string_view>

#include "plimsoll/formats/bytes/byte_source.h"
#include "plimsoll/formats/numpy/npy_type.h"
#include "plimsoll/tensor/spec.h"

namespace plimsoll {

struct NpyHeader {
  NpyType type;
  bool is_fortran_order = false;  // the first index moves fastest
  Shape shape;
  int64_t data_offset = 0;  // where the elements begin
};

// Versions 1 to 3. CorruptFile, naming the file and the place, if it is not
// a whole header or the file does not hold exactly the elements that it
// promises.
NpyHeader read_npy_header(ByteSource& file);

// The dictionary alone; `name` is for messages.
NpyHeader parse_npy_dictionary(std::string_view text, const std::string& name);

// A header of version 1 for row-major elements; its length is a multiple of 64.
std::string npy_header_text(const Spec& spec);

}  // namespace plimsoll
