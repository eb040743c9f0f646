// The element types and shapes of HDF5 that weights and their attributes have.
#pragma once

#include <cstdint>

#include "plimsoll/formats/bytes/stored_numbers.h"
#include "plimsoll/formats/hdf5/hdf5_block.h"
#include "plimsoll/tensor/shape.h"

namespace plimsoll {

struct Hdf5Type {
  enum class Kind {
    number,
    opaque,         // bytes without a meaning
    text,           // of a fixed size
    spaced_text,    // that, filled up with spaces
    variable_text,  // a reference to the global heap
  };

  Kind kind = Kind::number;
  uint64_t size = 0;       // bytes per element
  StoredType number = {};  // where it is one

  bool is_text() const {
    return kind == Kind::text || kind == Kind::spaced_text || kind == Kind::variable_text;
  }
};

// Each reads a message (or that part of an attribute) and refuses what is not listed above.
Hdf5Type read_datatype(Hdf5Block& block);
// A space without elements is (0).
Shape read_dataspace(Hdf5Block& block);

}  // namespace plimsoll
