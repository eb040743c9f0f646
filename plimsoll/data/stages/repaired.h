// Repair of tables: NaN and infinity in a column are replaced by what is usual there.
#pragma once

#include <string>
#include <vector>

#include "plimsoll/data/source.h"

namespace plimsoll {

enum class RepairWith { mean, median };

// Reads "mean" and "median". InvalidArgument for anything else.
RepairWith repair_with(const std::string& name);

// For each field that is repaired one value a column; nothing for other fields.
using ColumnValues = std::vector<std::vector<float>>;

// Of those of `fields` that are floats, a number or a row of numbers each. Reads all records once,
// of which finite numbers alone count. The median is that of no more than 64 MiB of numbers, taken
// at even distances. InvalidArgument, naming the column, where a column has no finite number.
ColumnValues column_values(const SourcePtr& source, const std::vector<int>& fields,
                           RepairWith with);

// The source with these values in place of NaN and infinity.
SourcePtr repaired(SourcePtr source, ColumnValues values);

}  // namespace plimsoll
