// A look at all of some data, with progress.
#pragma once

#include <string>

#include "plimsoll/data/check/check_report.h"
#include "plimsoll/train/data/open_data.h"

namespace plimsoll::cli {

// What the model, if there is one, has against the data is in the report too.
CheckReport check_data(const DataToCheck& data, const std::string& path, const Model* model);

}  // namespace plimsoll::cli
