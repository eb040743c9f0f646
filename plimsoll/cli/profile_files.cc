#include "plimsoll/cli/profile_files.h"

#include "plimsoll/base/atomic_file.h"
#include "plimsoll/report/profile_report.h"

namespace plimsoll::cli {

void write_trace(const Profiler& profiler, const std::string& path) {
  write_file(path, trace_json(profiler.events(), profiler.moments()) + "\n");
}

void write_profile(const Profiler& profiler, const std::string& run) {
  write_file(run + "/profile.json", to_json(profiler.profile()) + "\n");
  write_trace(profiler, run + "/trace.json");
}

}  // namespace plimsoll::cli
