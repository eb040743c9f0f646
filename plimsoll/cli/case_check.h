// Runs the commands of a reduced case as a person would.
#pragma once

#include <string>

#include "plimsoll/train/reduce/reduce.h"

namespace plimsoll::cli {

// In the folder, in processes of their own. InvalidArgument, with what was said, where they do not
// show the failure of the case. What they leave in the folder is removed.
void check_case(const std::string& folder, const ReducedCase& found);

}  // namespace plimsoll::cli
