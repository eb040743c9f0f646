// A folder that is given as a model.
#pragma once

#include <string>

namespace plimsoll {

bool is_folder(const std::string& path);

// The files of an unpacked .keras archive.
struct ModelFolder {
  std::string config, weights;
};

// InvalidArgument where the folder holds no such files; it says what the folder is instead and what
// to do.
ModelFolder find_model_folder(const std::string& path);

}  // namespace plimsoll
