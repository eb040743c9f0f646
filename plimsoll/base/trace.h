// Trace: what the threads of this process did and when, as spans of time. While nothing is
// recorded, a span costs one load of a flag.
//
//   TraceRecording recording(100'000);
//   { const TraceSpan span("read records"); … }   // on any thread
//   for (const TraceEvent& event : recording.events()) …
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace plimsoll {

struct TraceEvent {
  // Literals, or names that live as long as what they name.
  std::string_view name = {}, detail = {};
  int thread = 0;             // 0 is the one that began the recording; the others as they come
  double begin = 0, end = 0;  // seconds since the recording began
};

// Records from its construction to its end. There is at most one at a time: another one records
// nothing.
class TraceRecording {
 public:
  // Takes the memory for so many events at once; those that come after are only counted.
  explicit TraceRecording(int64_t most_events);
  ~TraceRecording();
  TraceRecording(const TraceRecording&) = delete;
  TraceRecording& operator=(const TraceRecording&) = delete;

  // Nothing is added from here on.
  void stop();
  // In the order in which they ended.
  std::vector<TraceEvent> events() const;
  // The same without a copy; none are left.
  std::vector<TraceEvent> take_events();
  int64_t dropped() const;

  static int64_t bytes_for(int64_t events) {
    return events * static_cast<int64_t>(sizeof(TraceEvent));
  }

 private:
  bool is_ours_ = false;
};

class TraceSpan {
 public:
  explicit TraceSpan(std::string_view name, std::string_view detail = {});
  ~TraceSpan();
  TraceSpan(const TraceSpan&) = delete;
  TraceSpan& operator=(const TraceSpan&) = delete;

 private:
  std::string_view name_, detail_;
  double begin_ = -1;  // on the clock of the process; negative: nothing is recorded
};

}  // namespace plimsoll
