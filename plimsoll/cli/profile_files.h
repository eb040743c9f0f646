// What a Profiler has measured, in files.
#pragma once

#include <string>

#include "plimsoll/train/callbacks/profiler.h"

namespace plimsoll::cli {

void write_trace(const Profiler& profiler, const std::string& path);
// RUN/profile.json and RUN/trace.json
void write_profile(const Profiler& profiler, const std::string& run);

}  // namespace plimsoll::cli
