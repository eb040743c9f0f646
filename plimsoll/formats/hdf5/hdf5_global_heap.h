// Where an HDF5 file keeps strings of variable length.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "plimsoll/formats/hdf5/hdf5_block.h"

namespace plimsoll {

class Hdf5GlobalHeap {
 public:
  explicit Hdf5GlobalHeap(Hdf5Space& space) : space_(space) {}

  // The string that the next reference in `block` points to.
  std::string read_text(Hdf5Block& block);

 private:
  using Collection = std::map<uint64_t, std::string>;  // by index

  const Collection& collection(uint64_t address);

  Hdf5Space& space_;
  std::map<uint64_t, Collection> collections_;  // by address
  uint64_t text_bytes_ = 0;                     // given so far; a string may be referred to often
};

}  // namespace plimsoll
