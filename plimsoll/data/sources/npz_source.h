// Records from NumPy's files: the rows of their arrays, read with pread as they are asked for.
#pragma once

#include <string>
#include <vector>

#include "plimsoll/data/source.h"
#include "plimsoll/formats/numpy/npz.h"

namespace plimsoll {

// Fields are the arrays `inputs`, then `targets`, of a .npz file; record i is row i of each.
// InvalidArgument where an array is not there, or where they differ in their number of rows. See
// NpzOptions for arrays that cannot be read in place.
SourcePtr npz_source(const std::string& path, const std::vector<std::string>& inputs,
                     const std::vector<std::string>& targets, const NpzOptions& options = {});

// The one field is the array of a .npy file.
SourcePtr npy_source(const std::string& path, const NpzOptions& options = {});
// One field per file; record i is row i of each. InvalidArgument where the files differ in their
// number of rows.
SourcePtr npy_source(const std::vector<std::string>& paths, const NpzOptions& options = {});

}  // namespace plimsoll
