// A CSV file as it is, with its bad records.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plimsoll/data/check/check_options.h"

namespace plimsoll {

struct TableToCheckOptions {
  std::vector<std::string> targets = {};  // columns that are to be learnt
  std::vector<std::string> ignored = {};
  std::vector<std::string> class_names = {};  // of a text target; empty: sorted, as they are found
  std::optional<double> missing = {};   // replaces missing numbers of inputs; none: they are bad
  std::optional<bool> has_header = {};  // as in CsvSourceOptions
};

// The records are x, of all the columns that are nothing else, and y. Reading a record with another
// length, a gap or text is an error; csv_source.h says how many numbers are kept in memory. A
// column that mostly holds text is left out: a warning, or bad where `targets` say that the rest is
// to be learnt from. InvalidArgument where a column is not there; CorruptFile where the file is no
// table.
DataToCheck open_table_to_check(const std::string& path, const TableToCheckOptions& options);

}  // namespace plimsoll
