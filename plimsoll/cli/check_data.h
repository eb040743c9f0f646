// Data that is to be looked at, record by record.
#pragma once

#include <string>
#include <vector>

#include "plimsoll/cli/data_arguments.h"
#include "plimsoll/data/check/check_options.h"

namespace plimsoll::cli {

struct DataToCheck {
  SourcePtr source;
  CheckOptions options;  // what is known of it already
  std::vector<CheckWarning> warnings = {};
};

// As `train` opens it, where there is a model; else as it is. A table is opened with its bad
// records. `classes` are the names of the classes in their order; none: as they are found.
DataToCheck open_to_check(const DataArguments& from, const Model* model,
                          const std::vector<std::string>& classes, Findings& findings);

// Looks at all of it, with progress. What the model has against it is in the report too.
CheckReport check_data(const DataToCheck& data, const std::string& path, const Model* model);

}  // namespace plimsoll::cli
