// The parts of an HDF5 file as bytes, in the oldest version of the format, which every reader
// knows. The format is described by the HDF Group ("HDF5 File Format Specification", version 0 of
// the superblock).
#pragma once

#include <string>
#include <vector>

#include "plimsoll/tensor/dtype.h"
#include "plimsoll/tensor/shape.h"

namespace plimsoll::hdf5 {

// The address of what is not there.
constexpr int64_t kNowhere = -1;
constexpr int64_t kSuperblockBytes = 96;
// In lists of members; libhdf5's defaults.
constexpr int kMostNamesOfNode = 8, kMostChildrenOfNode = 32;

// `address`es are offsets in the file. `root` is the header of the root group, `end` the size of
// the file.
std::string superblock(int64_t root, int64_t end);

// A type of elements.
std::string number_type(DType dtype);
std::string unsigned_type();  // of 32 bits
std::string double_type();
std::string text_type();  // of any length, in UTF-8; its elements are in a global heap

// Messages of object headers: without their own heads.
struct Message {
  int type;
  std::string body;
};
Message attribute(const std::string& name, const std::string& type, const Shape& shape,
                  const std::string& elements);
Message symbol_table(int64_t tree, int64_t names);
std::vector<Message> dataset(const std::string& type, const Shape& shape, int64_t address,
                             int64_t bytes);

// Messages may have this many bytes.
constexpr int64_t kMostMessageBytes = 65528;
std::string object_header(const std::vector<Message>& messages);

}  // namespace plimsoll::hdf5
