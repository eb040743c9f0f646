// The records of a CSV file, parsed as they are asked for.
#pragma once

#include <string>
#include <vector>

#include "plimsoll/data/source.h"
#include "plimsoll/formats/tables/csv_selection.h"

namespace plimsoll {

// Fields are the selections. What stands in memory is where one record in every few KiB begins;
// reading a record parses those between. A field that is not as it should be is a CorruptFile where
// its record is read.
SourcePtr csv_rows(ByteSourcePtr file, CsvSummary summary, std::vector<CsvSelection> selections,
                   const CsvOptions& options);

}  // namespace plimsoll
