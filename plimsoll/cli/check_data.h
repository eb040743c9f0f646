// A look at all of some data, with progress.
#pragma once

#include <string>

#include "plimsoll/data/check/check_report.h"
#include "plimsoll/train/data/open_data.h"

namespace plimsoll::cli {

// With a model, the report also says where the data does not fit it.
CheckReport check_data(const DataToCheck& data, const std::string& path, const Model* model);

}  // namespace plimsoll::cli
