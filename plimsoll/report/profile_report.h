// A StepProfile for people, for programs and for Perfetto.
#pragma once

#include <span>
#include <string>

#include "plimsoll/base/trace.h"
#include "plimsoll/record/step_profile.h"
#include "plimsoll/report/memory_track.h"

namespace plimsoll {

// Its calls, time and work to those of `to`.
void add(const OperationProfile& row, OperationProfile& to);

// Operations of the same name and layer as one.
enum class ProfileBy { operation, layer };
StepProfile joined(const StepProfile& profile, ProfileBy by);

// What a row reaches of what the machine could do: the time that its work would take at the
// machine's speed in computing or at its bandwidth, whichever is longer, per time that it took.
double share_of_machine(const OperationProfile& row, const StepProfile& of);
// True if the machine's speed in computing would set the pace, not its bandwidth.
bool is_bound_by_computing(const OperationProfile& row, const StepProfile& of);

// The longest first, at most so many rows; the others are one row.
std::string profile_table(const StepProfile& profile, ProfileBy by = ProfileBy::operation,
                          size_t most_rows = 20);
// As JSON, with the names of the fields.
std::string to_json(const StepProfile& profile);
// The "trace event" format, which Perfetto and chrome://tracing open. With the moments of the plan
// of the step, the bytes that are live are a track of their own.
std::string trace_json(std::span<const TraceEvent> events,
                       std::span<const LiveMoment> moments = {});

}  // namespace plimsoll
