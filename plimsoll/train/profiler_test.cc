#include "plimsoll/train/callbacks/profiler.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "plimsoll/nn/clock.h"
#include "plimsoll/nn/nn.h"
#include "plimsoll/ops/ops.h"
#include "plimsoll/report/profile_report.h"
#include "plimsoll/train/callbacks/lambda_callback.h"
#include "plimsoll/train/model.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

Sequential trained_with(const Callbacks& callbacks, const std::string& run = "") {
  set_random_seed(3);
  const Tensor x = random_normal({64, 8}, 0, 1, training_clock().draw());
  Sequential model({Dense({.units = 16, .activation = "relu", .name = "first"}),
                    Dense({.units = 1, .name = "last"})},
                   "profiled");
  model.compile({.optimizer = Adam(), .loss = "mse"});
  FitOptions options{.epochs = 2, .batch_size = 4, .verbose = 0};
  options.callbacks = callbacks;
  options.run = run;
  options.checkpoints.every_steps = 1;
  model.fit(x, sum(x, {1}, true), options);
  return model;
}

bool is_of(const OperationProfile& row, const char* layer) {
  return row.layer == layer;
}

TEST(Profiler, MeasuresSomeStepsByLayer) {
  const auto profiler = std::make_shared<Profiler>(ProfilerOptions{.first = 2, .steps = 5});
  trained_with({profiler});
  const StepProfile& profile = profiler->profile();
  EXPECT_EQ(profile.steps, 5);
  EXPECT_EQ(profile.batch_size, 4);
  EXPECT_GT(profile.step_seconds, 0);
  double seconds = 0;
  for (const OperationProfile& row : profile.operations) {
    EXPECT_DOUBLE_EQ(row.calls, 1) << row.operation;
    EXPECT_GT(row.bytes, 0) << row.operation;
    seconds += row.seconds;
  }
  EXPECT_GT(seconds, 0);
  const auto rows_of = [&](const char* layer) {
    return std::ranges::count_if(profile.operations,
                                 [&](const auto& row) { return is_of(row, layer); });
  };
  EXPECT_GT(rows_of("first"), 1);  // forward and backward
  EXPECT_GT(rows_of("last"), 1);
  const auto steps =
      std::ranges::count(profiler->events(), std::string_view("step"), &TraceEvent::name);
  EXPECT_EQ(steps, 5);
}

// The model and its steps are gone when the trace is read.
TEST(Profiler, KnowsWhatIsLiveInThePlannedStep) {
  const auto profiler = std::make_shared<Profiler>(ProfilerOptions{.first = 2, .steps = 5});
  trained_with({profiler});
  const auto track = memory_track(profiler->events(), profiler->moments());
  EXPECT_GT(std::ssize(track), 5 * 2);  // operations of five steps
  const auto [least, most] =
      std::ranges::minmax_element(track, {}, &std::pair<double, int64_t>::second);
  EXPECT_LT(least->second, most->second);
}

TEST(Profiler, TracesCheckpointsBetweenSteps) {
  const TemporaryFolder folder;
  const auto profiler = std::make_shared<Profiler>(ProfilerOptions{.first = 2, .steps = 5});
  trained_with({profiler}, folder.path("run"));
  std::vector<TraceEvent> steps, checkpoints;
  for (const TraceEvent& event : profiler->events()) {
    EXPECT_LE(event.begin, event.end);
    if (event.name == "step") steps.push_back(event);
    if (event.name == "write a checkpoint") checkpoints.push_back(event);
  }
  ASSERT_GE(checkpoints.size(), 4u);
  for (const TraceEvent& checkpoint : checkpoints) {
    EXPECT_EQ(checkpoint.thread, 0);
    for (const TraceEvent& step : steps)
      EXPECT_TRUE(checkpoint.end <= step.begin || step.end <= checkpoint.begin);
  }
}

TEST(Profiler, ChangesNothing) {
  const auto profiler = std::make_shared<Profiler>();
  const Tensors watched = trained_with({profiler}).get_weights();
  const Tensors plain = trained_with({}).get_weights();
  ASSERT_EQ(watched.size(), plain.size());
  for (size_t i = 0; i < plain.size(); ++i)
    EXPECT_EQ(watched[i].to_vector<float>(), plain[i].to_vector<float>());
}

TEST(Profiler, EndsTrainingIfItIsAskedTo) {
  const auto profiler =
      std::make_shared<Profiler>(ProfilerOptions{.first = 1, .steps = 2, .stop_after = true});
  int64_t steps = 0;
  trained_with(
      {profiler, LambdaCallback({.on_train_batch_end = [&](TrainingState&) { ++steps; }})});
  EXPECT_EQ(steps, 3);
}

TEST(Profiler, HasWhatThereWasOfAShortTraining) {
  const auto profiler = std::make_shared<Profiler>(ProfilerOptions{.first = 30, .steps = 20});
  trained_with({profiler});
  EXPECT_EQ(profiler->profile().steps, 2);
}

TEST(Profiler, RefusesSettingsThatMakeNoSense) {
  EXPECT_THROW(Profiler({.steps = 0}), InvalidArgument);
  EXPECT_THROW(Profiler({.first = -1}), InvalidArgument);
}

}  // namespace
}  // namespace plimsoll
