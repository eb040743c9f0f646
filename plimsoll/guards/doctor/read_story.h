// Reads what a run has left in its folder.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "plimsoll/record/run_story.h"

namespace plimsoll {

// RUN/run.json and RUN/log.jsonl. InvalidArgument where the folder is not that of a run,
// CorruptFile where a file is damaged. The last line of a log may be cut short, for a run may be
// killed.
RunStory read_run_story(const std::string& run);

// Its parts, for who reads a log as it grows. `path` is what an error names. CorruptFile where the
// JSON is not a run.json, or an event is not one of a run; the story is then as it was before.
RunStory story_of_run(const nlohmann::ordered_json& run_json, const std::string& path);
void add_event(const nlohmann::ordered_json& event, const std::string& path, RunStory& into);

}  // namespace plimsoll
