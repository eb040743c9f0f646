// Which columns of a table are the inputs and targets of a model.
#pragma once

#include <vector>

#include "plimsoll/data/kinds/data_request.h"

namespace plimsoll {

struct TableColumns {
  std::vector<Names> inputs;   // the columns of each
  std::vector<Names> targets;  // the columns of each; none where only inputs are wanted
  bool are_rest = false;       // the inputs are all columns that are nothing else
};

// Targets are the columns that options.target names. Inputs are those of the schema, or the columns
// of their names, or all that are left for the only one. Without a model: x, and y where there is a
// target. A column without a name is never an input. InvalidArgument, with the columns that are
// there, where one is missing. A column that a schema does not know is announced.
TableColumns choose_columns(const DataRequest& request, const Names& columns);

// True if the schema names the columns of a table for a model.
bool has_schema(const DataRequest& request);

// How the rows of a series make records is kept with the columns.
void remember_window(const DataOptions& options, TableSchema& schema);

// What a model remembers of these columns.
TableSchema schema_of(const DataRequest& request, const TableColumns& columns);

// All columns that are neither named by options.target nor by options.ignored. Of a series, the
// targets are among them: what they were before is known.
Names rest_of(const DataRequest& request, const Names& columns);

// True if the table has a column by the name of each input.
bool has_all_inputs(const DataRequest& request, const Names& columns);

[[noreturn]] void refuse_without_target(const DataRequest& request);

}  // namespace plimsoll
