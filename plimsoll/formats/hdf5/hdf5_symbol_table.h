// The members of a group of an HDF5 file: a B-tree of nodes of names.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plimsoll/formats/hdf5/hdf5_block.h"

namespace plimsoll {

struct Hdf5Member {
  std::string name;
  uint64_t header_address;
};

// How many entries a node has room for. The file's first bytes hold these numbers.
struct Hdf5NodeSizes {
  uint64_t leaf = 0, internal = 0;
};

// `message` is a group's symbol table message. Soft links are refused.
std::vector<Hdf5Member> read_symbol_table(Hdf5Space& space, Hdf5Block& message,
                                          const Hdf5NodeSizes& sizes);

}  // namespace plimsoll
