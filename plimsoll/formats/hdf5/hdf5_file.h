// Reading of HDF5 files as Keras and h5py write them: groups, attributes of text, tensors of
// numbers.
//
// The metadata is read by code of our own, because libhdf5 trusts what it reads: of the files that
// differ from a good one in a single bit, it crashes or hangs on one in four hundred. Here, every
// number is checked before it is used, and every piece of the file belongs to one object. What
// Keras never writes (links, filters, chunks, other files, the format of libver='latest') is
// refused.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "plimsoll/formats/bytes/byte_source.h"
#include "plimsoll/formats/hdf5/hdf5_attribute.h"
#include "plimsoll/formats/hdf5/hdf5_dataset.h"

namespace plimsoll {

struct Hdf5Group {
  std::string path;  // "/layers/dense", "/" for the root
  Hdf5Attributes attributes = {};
  std::map<std::string, Hdf5Group, std::less<>> groups = {};
  std::map<std::string, Hdf5Dataset, std::less<>> datasets = {};

  // By a path from here such as "dense/vars"; null if there is none.
  const Hdf5Group* find_group(std::string_view relative) const;
  const Hdf5Dataset* find_dataset(std::string_view relative) const;
};

struct Hdf5File {
  std::string name;
  Hdf5Group root;
};

// Throws CorruptFile, naming the object and the byte, or IoError. The datasets hold the source
// open.
Hdf5File read_hdf5(ByteSourcePtr source);

}  // namespace plimsoll
