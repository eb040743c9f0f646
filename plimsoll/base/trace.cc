#include "plimsoll/base/trace.h"

#include <atomic>
#include <chrono>
#include <mutex>
#include <utility>

namespace plimsoll {
namespace {

double clock_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Of the process: workers may still end a span while a recording goes.
struct Recorder {
  std::atomic<bool> is_on = false;
  std::mutex mutex;  // of all below
  bool is_taken = false;
  int64_t number = 0;  // of the recording
  double start = 0;
  std::vector<TraceEvent> events;
  size_t most = 0;
  int64_t dropped = 0;
  int threads = 0;  // that were seen in this recording
};

Recorder& recorder() {
  static Recorder the_one;
  return the_one;
}

// The number of this thread in a recording.
int thread_number(Recorder& of) {
  thread_local int64_t recording = 0;
  thread_local int number = 0;
  if (recording != of.number) {
    recording = of.number;
    number = of.threads++;
  }
  return number;
}

}  // namespace

TraceRecording::TraceRecording(int64_t most_events) {
  Recorder& to = recorder();
  const std::lock_guard lock(to.mutex);
  if (to.is_taken) return;
  is_ours_ = to.is_taken = true;
  ++to.number;
  to.threads = 0;
  to.dropped = 0;
  to.most = static_cast<size_t>(most_events);
  to.events.clear();
  to.events.reserve(to.most);
  thread_number(to);
  to.start = clock_seconds();
  to.is_on.store(true, std::memory_order_release);
}

void TraceRecording::stop() {
  if (is_ours_) recorder().is_on.store(false, std::memory_order_relaxed);
}

TraceRecording::~TraceRecording() {
  if (!is_ours_) return;
  stop();
  Recorder& of = recorder();
  const std::lock_guard lock(of.mutex);
  of.events = {};
  of.is_taken = false;
}

std::vector<TraceEvent> TraceRecording::events() const {
  if (!is_ours_) return {};
  const std::lock_guard lock(recorder().mutex);
  return recorder().events;
}

std::vector<TraceEvent> TraceRecording::take_events() {
  if (!is_ours_) return {};
  const std::lock_guard lock(recorder().mutex);
  return std::exchange(recorder().events, {});
}

int64_t TraceRecording::dropped() const {
  if (!is_ours_) return 0;
  const std::lock_guard lock(recorder().mutex);
  return recorder().dropped;
}

TraceSpan::TraceSpan(std::string_view name, std::string_view detail)
    : name_(name), detail_(detail) {
  if (recorder().is_on.load(std::memory_order_acquire)) begin_ = clock_seconds();
}

// A span that began before the recording, or ends after it, is not in it.
TraceSpan::~TraceSpan() {
  Recorder& to = recorder();
  if (begin_ < 0 || !to.is_on.load(std::memory_order_acquire)) return;
  const double end = clock_seconds();
  const std::lock_guard lock(to.mutex);
  if (begin_ < to.start) return;
  if (to.events.size() == to.most)
    ++to.dropped;
  else
    to.events.push_back({name_, detail_, thread_number(to), begin_ - to.start, end - to.start});
}

}  // namespace plimsoll
