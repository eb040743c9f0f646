// Data as it is, for no model in particular.
#pragma once

#include <string>
#include <vector>

#include "plimsoll/cli/data_arguments.h"
#include "plimsoll/cli/findings.h"
#include "plimsoll/data/source.h"

namespace plimsoll::cli {

// Arrays that have as many rows each, and what they are called.
struct NamedRecords {
  SourcePtr records;
  std::vector<std::string> names;
};

// From any data that find_data knows. `array` is the only one that is wanted of a
// .npz; empty: all of them. InvalidArgument where there is no such array.
NamedRecords open_records(const DataArguments& from, const std::string& array, Findings& findings);

// Does the file or folder hold data, not a model?
bool is_data(const std::string& path);
// Is it a table of text?
bool is_table(const std::string& path);

}  // namespace plimsoll::cli
