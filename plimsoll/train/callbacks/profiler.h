// Profiler: measures some steps of a run of fit, operation by operation.
//
//   const auto profiler = std::make_shared<Profiler>();
//   model.fit(data, {.callbacks = {profiler}});
//   std::puts(profile_table(profiler->profile()).c_str());
//
// The steps are the same, bit for bit, as without it. Measuring takes under a microsecond per
// operation.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "plimsoll/base/trace.h"
#include "plimsoll/record/step_profile.h"
#include "plimsoll/report/memory_track.h"
#include "plimsoll/train/callbacks/callback.h"

namespace plimsoll {

class ProfileWatch;

struct ProfilerOptions {
  int64_t first = 3;  // the first step that is measured; those before it warm the caches up
  int64_t steps = 20;
  bool stop_after = false;       // training ends after them
  int64_t most_events = 20'000;  // of the trace; it takes 64 bytes for each
};

class Profiler final : public Callback {
 public:
  // Measures the speed of the machine, unless it is known: once, in some 50 MiB. InvalidArgument
  // where the options make no sense.
  explicit Profiler(const ProfilerOptions& options = {});
  ~Profiler() override;

  int64_t planned_bytes(const Model& model) const override;
  void on_plan(const std::function<StepPicture()>& picture) override;
  void on_train_begin(TrainingState& state) override;
  void on_train_batch_begin(TrainingState& state) override;
  StepWatch* watch_batch(TrainingState& state) override;
  void on_train_batch_end(TrainingState& state) override;
  void on_train_end(TrainingState& state) override;

  // What was measured: fewer steps if training ended before; none if it never got to `first`.
  const StepProfile& profile() const { return profile_; }
  // What the threads did meanwhile.
  const std::vector<TraceEvent>& events() const { return events_; }
  // What the planned step has in its arena, operation by operation, for trace_json().
  const std::vector<LiveMoment>& moments() const { return moments_; }

 private:
  void begin();
  void end(const TrainingState& state);

  ProfilerOptions options_;
  int64_t step_ = 0;
  int64_t measured_ = 0;  // with their operations: a batch that is looked at otherwise is not
  std::vector<double> seconds_, waits_;  // of each step since the recording began
  double waited_before_ = 0;             // the step
  std::string network_;
  std::unique_ptr<ProfileWatch> watch_;
  std::unique_ptr<TraceRecording> recording_;  // while steps are measured
  std::optional<TraceSpan> span_;
  double batch_begin_ = 0;
  StepProfile profile_;
  std::vector<TraceEvent> events_;
  std::vector<LiveMoment> moments_;
};

}  // namespace plimsoll
