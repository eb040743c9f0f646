#include "plimsoll/report/memory_track.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace plimsoll {
namespace {

// How many moments without a span may follow each other.
constexpr size_t kMostWithoutSpan = 8;

// "matmul (gradient of matmul)" is called "matmul" in a trace.
std::string plain_operation(const std::string& name) {
  return name.substr(0, name.find(" (gradient of "));
}

// A trace names the network too: "shapes/dense".
bool is_of(const TraceEvent& event, const LiveMoment& moment) {
  return event.name == moment.operation && (event.detail.ends_with(moment.layer) ||
                                            (event.detail.empty() && moment.layer == "(step)"));
}

std::optional<size_t> find_from(size_t from, const TraceEvent& event,
                                std::span<const LiveMoment> moments) {
  for (size_t i = from; i < std::min(moments.size(), from + kMostWithoutSpan); ++i)
    if (is_of(event, moments[i])) return i;
  return std::nullopt;
}

}  // namespace

std::vector<LiveMoment> live_moments(const StepPicture& picture) {
  std::vector<LiveMoment> moments;
  const auto name = [&](int32_t place) { return picture.names.at(static_cast<size_t>(place)); };
  for (const StepPicture::Moment& it : picture.moments)
    moments.push_back({plain_operation(name(it.op)), name(it.layer), it.live_bytes});
  return moments;
}

std::vector<std::pair<double, int64_t>> memory_track(std::span<const TraceEvent> events,
                                                     std::span<const LiveMoment> moments) {
  std::vector<TraceEvent> spans;
  for (const TraceEvent& event : events)
    if (event.thread == 0) spans.push_back(event);
  std::ranges::stable_sort(spans, {}, &TraceEvent::begin);
  std::vector<std::pair<double, int64_t>> track;
  size_t next = 0;
  for (const TraceEvent& event : spans) {
    std::optional<size_t> found = find_from(next, event, moments);
    // The next step begins, or the next part of a batch.
    if (!found) found = find_from(0, event, moments);
    if (!found) continue;
    track.emplace_back(event.begin, moments[*found].bytes);
    next = *found + 1;
  }
  return track;
}

}  // namespace plimsoll
