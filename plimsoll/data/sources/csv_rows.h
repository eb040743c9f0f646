// The records of a CSV file, parsed as they are asked for.
#pragma once

#include <string>
#include <vector>

#include "plimsoll/data/source.h"
#include "plimsoll/formats/tables/csv_selection.h"

namespace plimsoll {

// The fields are the selections. Only the place of one record in every few KiB is kept in memory;
// reading a record parses those in between. A field that is not as it should be is a CorruptFile
// when its record is read.
SourcePtr csv_rows(ByteSourcePtr file, CsvSummary summary, std::vector<CsvSelection> selections,
                   const CsvOptions& options);

}  // namespace plimsoll
