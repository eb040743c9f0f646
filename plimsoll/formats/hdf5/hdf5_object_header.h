// The messages that describe an object of an HDF5 file: what it is, its attributes, its place.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plimsoll/formats/hdf5/hdf5_block.h"

namespace plimsoll {

enum class Hdf5MessageType : uint16_t {
  nil = 0x00,
  dataspace = 0x01,
  datatype = 0x03,
  old_fill_value = 0x04,
  fill_value = 0x05,
  layout = 0x08,
  filters = 0x0B,
  attribute = 0x0C,
  continuation = 0x10,
  symbol_table = 0x11,
  modification_time = 0x12,
};

struct Hdf5Message {
  Hdf5MessageType type;
  Hdf5Block body;
};

// `path` is the object's, for messages. Padding and continuations are resolved. Refuses what is not
// in the list above: links and groups of the newer format, files outside of this one.
std::vector<Hdf5Message> read_object_header(Hdf5Space& space, uint64_t address,
                                            const std::string& path);

}  // namespace plimsoll
