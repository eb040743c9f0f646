// Compares the classes of a table's target with those of a model.
#pragma once

#include "plimsoll/data/kinds/data_kind.h"
#include "plimsoll/data/kinds/table_columns.h"
#include "plimsoll/data/sources/csv_source.h"

namespace plimsoll {

// InvalidArgument, naming the rarest classes, where a CSV file has more than the model. If the
// request is to check, `fields` are opened again with the most frequent classes, so that only the
// records of the others are bad, and the sentence is in fields.bad. Fewer classes are announced
// where that can be meant.
void check_classes(const DataRequest& request, const TableColumns& columns,
                   CsvSourceOptions& options, NamedFields& fields);

}  // namespace plimsoll
