// Records from the datasets of an HDF5 file.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "plimsoll/base/finding.h"
#include "plimsoll/data/source.h"

namespace plimsoll {

struct Hdf5SourceOptions {
  // Where a dataset that is in chunks is written out, to a file that vanishes with the process.
  // Empty: the system's temporary folder.
  std::string folder = {};
  // Called with the size of such a file before it is written.
  std::function<void(const Finding&)> announce = {};
};

// Of the datasets of numbers, in the order of the file: "x", "train/x".
std::vector<std::string> hdf5_names(const std::string& path);

// True if the file was written by Keras: a model, or weights.
bool is_keras_hdf5(const std::string& path);

// Fields are the datasets of these names; record i is row i of each. A dataset in one piece is read
// in place, one in chunks (h5py: chunks=, compression="gzip", shuffle=True, maxshape=) is written
// out once. InvalidArgument where a dataset is not there or holds no numbers, or where they differ
// in their number of rows; CorruptFile where the file is damaged, or has something that is not read
// (other filters, links, the newer formats of HDF5).
SourcePtr hdf5_source(const std::string& path, const std::vector<std::string>& names,
                      const Hdf5SourceOptions& options = {});

}  // namespace plimsoll
