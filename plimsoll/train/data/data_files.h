// What is at a path that a person gives for data.
#pragma once

#include <string>
#include <vector>

namespace plimsoll {

enum class DataKind { npz, npy, csv, images, tfrecord, tar, idx };

struct DataFiles {
  DataKind kind;
  std::vector<std::string> paths;  // of the files; of images, the folder
};

// A file, a folder, and of .tfrecord, .tar and IDX files several: between commas, by a pattern
// ("shards/train-*.tar"), or all those of a folder, sorted by name. NumPy's files are known by
// their first bytes, others by their names. InvalidArgument where it is none of them; IoError where
// there is nothing.
DataFiles find_data(const std::string& path);

}  // namespace plimsoll
