// A look at every record of a source, by several threads: what training would fail on, and what
// is seldom wanted.
#pragma once

#include "plimsoll/data/check/check_options.h"
#include "plimsoll/data/check/check_report.h"
#include "plimsoll/data/source.h"

namespace plimsoll {

// Reads all records once. The report does not depend on the number of threads. Memory holds about
// 16 bytes per record, what is wrong with bad ones, and one record per thread.
CheckReport check_records(const Source& source, const CheckOptions& options = {});

}  // namespace plimsoll
