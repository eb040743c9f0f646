// Repair of tables: NaN and infinity in a column are replaced by its mean or median.
#pragma once

#include <string>
#include <vector>

#include "plimsoll/data/source.h"

namespace plimsoll {

enum class RepairWith { mean, median };

// Reads "mean" and "median". InvalidArgument for anything else.
RepairWith repair_with(const std::string& name);

// One value per column for each field that is repaired; nothing for other fields.
using ColumnValues = std::vector<std::vector<float>>;

// The values for those of `fields` that are floats, each a number or a row of numbers. Reads all
// records once; only finite numbers count. The median is that of no more than 64 MiB of numbers,
// taken at even distances. InvalidArgument, naming the column, where it has no finite number.
ColumnValues column_values(const SourcePtr& source, const std::vector<int>& fields,
                           RepairWith with);

// The source with these values in place of NaN and infinity.
SourcePtr repaired(SourcePtr source, ColumnValues values);

}  // namespace plimsoll
