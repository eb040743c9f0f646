// The memory of a step over its time: what is live in its plan, at the moments of a trace.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "plimsoll/base/trace.h"
#include "plimsoll/record/step_picture.h"

namespace plimsoll {

// An operation of the planned step, in the order in which they run.
struct LiveMoment {
  std::string operation = {}, layer = {};
  int64_t bytes = 0;  // of the arena, that are live while it runs
};

std::vector<LiveMoment> live_moments(const StepPicture& picture);

// The time and the live bytes of each span of the thread that trains that is an operation of the
// plan. Reshapes are moments without a span; waiting for data is a span without a moment.
std::vector<std::pair<double, int64_t>> memory_track(std::span<const TraceEvent> events,
                                                     std::span<const LiveMoment> moments);

}  // namespace plimsoll
