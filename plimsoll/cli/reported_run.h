// What the page of a run shows beside the run's own files: its data, opened as the run opened it,
// and what the doctor says.
#pragma once

#include <string>

#include "plimsoll/cli/findings.h"
#include "plimsoll/train/report/write_report.h"

namespace plimsoll::cli {

// Where the data cannot be read any more, the options say why. The current folder becomes the one
// in which the run began, if that is there.
ReportOptions report_options(const std::string& run, bool with_data, Findings& findings);

// WrongUsage where `out` is a file of the run other than its page.
void refuse_files_of_run(const char* command, const std::string& run, const std::string& out);

}  // namespace plimsoll::cli
