// Data from one format to another, a few rows at a time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plimsoll/cli/data_arguments.h"
#include "plimsoll/cli/findings.h"

namespace plimsoll::cli {

// Writes .npy or .npz, by the name of `to`, from any data that find_data knows. Where labels have
// names, these are written too, to "photos.classes.json" beside "photos.npz"; returns that path, or
// nothing if there are none. InvalidArgument if it cannot be done, WrongUsage where --classes
// has nothing to order.
std::string convert_data(const DataArguments& from, const std::string& to, Findings& findings);

}  // namespace plimsoll::cli
