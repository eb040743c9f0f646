// Reads what a run has left in its folder.
#pragma once

#include <string>

#include "plimsoll/record/run_story.h"

namespace plimsoll {

// RUN/run.json and RUN/log.jsonl. InvalidArgument where the folder is not that of a run,
// CorruptFile where a file is damaged. The last line of a log may be cut short, for a run may be
// killed.
RunStory read_run_story(const std::string& run);

}  // namespace plimsoll
