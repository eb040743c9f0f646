// A look at every record of a source, by several threads: what training would fail on, and what
// is seldom wanted.
#pragma once

#include "plimsoll/data/check/check_options.h"
#include "plimsoll/data/check/check_report.h"
#include "plimsoll/data/source.h"

namespace plimsoll {

// Reads all records once. The report does not depend on the number of threads. About 16 bytes a
// record stand in memory, what is wrong with bad ones, and a record for each thread.
CheckReport check_records(const Source& source, const CheckOptions& options = {});

}  // namespace plimsoll
