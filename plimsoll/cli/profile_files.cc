#include "plimsoll/cli/profile_files.h"

#include <vector>

#include "plimsoll/base/atomic_file.h"
#include "plimsoll/base/error.h"
#include "plimsoll/formats/bytes/read_text.h"

namespace plimsoll::cli {

void write_trace(const Profiler& profiler, std::span<const LiveMoment> moments,
                 const std::string& path) {
  write_file(path, trace_json(profiler.events(), moments) + "\n");
}

void write_profile(const Profiler& profiler, const std::string& run) {
  write_file(run + "/profile.json", to_json(profiler.profile()) + "\n");
  constexpr int64_t kMostPlanBytes = 4 << 20;
  std::vector<LiveMoment> moments;
  try {
    moments = live_moments(read_own_text(run + "/plan.json", kMostPlanBytes, "a plan.json"));
  } catch (const Error&) {
    // A trace without the memory is better than none.
  }
  write_trace(profiler, moments, run + "/trace.json");
}

}  // namespace plimsoll::cli
