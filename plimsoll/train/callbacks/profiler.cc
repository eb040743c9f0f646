#include "plimsoll/train/callbacks/profiler.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/base/process_memory.h"
#include "plimsoll/engine/machine_speed.h"
#include "plimsoll/graph/interned.h"
#include "plimsoll/guards/profile/profile_watch.h"
#include "plimsoll/train/model.h"

namespace plimsoll {
namespace {

double clock_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

Profiler::Profiler(const ProfilerOptions& options) : options_(options) {
  const auto at_least = [](const char* what, int64_t least, int64_t found) {
    if (found < least)
      throw InvalidArgument(
          fmt::format("Profiler: {} must be {} or more, found {}", what, least, found));
  };
  at_least("first", 0, options.first);
  at_least("steps", 1, options.steps);
  at_least("most_events", 1, options.most_events);
  measure_machine_speed(memory_available());
}

Profiler::~Profiler() = default;

int64_t Profiler::planned_bytes(const Model&) const {
  return TraceRecording::bytes_for(options_.most_events);
}

void Profiler::on_plan(const std::function<StepPicture()>& picture) {
  moments_ = live_moments(picture());
}

void Profiler::on_train_begin(TrainingState& state) {
  step_ = measured_ = 0;
  network_ = state.model.network().name();
  profile_ = {};
  events_.clear();
}

void Profiler::begin() {
  watch_ = std::make_unique<ProfileWatch>(network_);
  recording_ = std::make_unique<TraceRecording>(options_.most_events);
  for (std::vector<double>* times : {&seconds_, &waits_}) {
    times->clear();
    times->reserve(static_cast<size_t>(std::min<int64_t>(options_.steps, 1 << 16)));
  }
}

void Profiler::on_train_batch_begin(TrainingState& state) {
  if (step_ == options_.first) begin();
  if (recording_ == nullptr) return;
  span_.emplace("step");
  waited_before_ = state.wait_seconds;
  batch_begin_ = clock_seconds();
}

StepWatch* Profiler::watch_batch(TrainingState&) {
  if (recording_ == nullptr) return nullptr;
  ++measured_;
  return watch_.get();
}

void Profiler::on_train_batch_end(TrainingState& state) {
  ++step_;
  if (recording_ == nullptr) return;
  span_.reset();
  seconds_.push_back(clock_seconds() - batch_begin_);
  waits_.push_back(state.wait_seconds - waited_before_);
  if (measured_ < options_.steps) return;
  end(state);
  if (options_.stop_after) state.stop_training = true;
}

void Profiler::on_train_end(TrainingState& state) {
  span_.reset();
  if (recording_ != nullptr) end(state);
}

void Profiler::end(const TrainingState& state) {
  recording_->stop();
  events_ = recording_->take_events();
  recording_.reset();
  // They are read when the steps that they name may be gone.
  for (TraceEvent& event : events_) {
    event.name = *interned(event.name);
    event.detail = *interned(event.detail);
  }
  const MachineSpeed speed = machine_speed();
  profile_ = {.steps = measured_,
              .batch_size = state.plan == nullptr ? 0 : state.plan->batch_size,
              .step_seconds = median(seconds_),
              .wait_seconds = median(waits_),
              .is_machine_measured = is_machine_speed_known(),
              .machine_operations_per_second = speed.operations_per_second,
              .machine_bytes_per_second = speed.bytes_per_second,
              .operations = watch_->take(std::max<int64_t>(1, measured_))};
}

}  // namespace plimsoll
