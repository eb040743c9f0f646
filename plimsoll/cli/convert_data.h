// Data from one format to another, a few rows at a time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plimsoll/cli/data_arguments.h"
#include "plimsoll/cli/findings.h"

namespace plimsoll::cli {

// Writes .npy or .npz, by the name of `to`, from .npy, .npz, .csv, IDX or a folder of images.
// `array` is the one that a .npy takes of several. Returns the names of the arrays that were
// written. InvalidArgument where it cannot be done.
std::vector<std::string> convert_data(const DataArguments& from, const std::string& to,
                                      const std::string& array, Findings& findings);

// Does the file or folder hold data, not a model?
bool is_data(const std::string& path);

}  // namespace plimsoll::cli
