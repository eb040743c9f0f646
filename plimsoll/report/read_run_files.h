// What the folder of a run says of it, for a page.
#pragma once

#include <cstdint>
#include <string>

#include "plimsoll/report/run_report.h"

namespace plimsoll {

// The parts of a report that are in the files of the folder; the others say nothing yet. A
// quarantined image gets a thumbnail if `with_images` is true and its file is inside the data of
// the run. A file that is missing, damaged, a link, or larger than `most_bytes` is said to be so;
// only a run.json that cannot be read is an error.
RunReport read_run_files(const std::string& run, RunStory story, bool with_images,
                         int64_t most_bytes = int64_t{1} << 30);

}  // namespace plimsoll
