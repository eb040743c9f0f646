#include "plimsoll/report/console_progress.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

const NamedNumber kMetrics[] = {{"loss", 0.43121}, {"accuracy", 0.84671}};

Progress halfway() {
  return {.epoch = 1,
          .epochs = 5,
          .batch = 320,
          .batches = 960,
          .samples = 10240,
          .seconds = 2,
          .resident_bytes = 60 << 20,
          .metrics = kMetrics};
}

std::string line_of(const Progress& progress, size_t size = 512) {
  std::string buffer(size, '\0');
  return std::string(progress_line(progress, buffer.data(), size));
}

TEST(ProgressLine, SaysWhereTheEpochStands) {
  EXPECT_EQ(line_of(halfway()),
            "epoch 2/5  320/960  loss 0.4312  accuracy "
            "0.8467  5,120 samples/s  0:04 left  "
            "60.0 MiB");
}

TEST(ProgressLine, OfADoneEpochSaysHowLongItTook) {
  Progress progress = halfway();
  progress.batch = 960;
  progress.samples = 30720000;
  progress.seconds = 3725;
  EXPECT_EQ(line_of(progress),
            "epoch 2/5  960/960  loss 0.4312  accuracy "
            "0.8467  8,247 samples/s  1:02:05  60.0 MiB");
}

TEST(ProgressLine, OfAnEvaluationHasNoEpoch) {
  Progress progress = halfway();
  progress.phase = "evaluate";
  EXPECT_EQ(line_of(progress).find("evaluate 320/960  loss 0.4312"), 0u);
}

TEST(ProgressLine, ShowsSmallNumbersToo) {
  const NamedNumber rates[] = {{"learning_rate", 0.00012}, {"loss", 0}};
  Progress progress = halfway();
  progress.metrics = rates;
  EXPECT_NE(line_of(progress).find("learning_rate 1.200e-04  loss 0.0000"), std::string::npos);
}

TEST(ProgressLine, IsCutWhereItDoesNotFit) {
  EXPECT_EQ(line_of(halfway(), 12), "epoch 2/5  ");
}

std::string written_by(bool live, bool is_stopped = false) {
  char* text = nullptr;
  size_t size = 0;
  std::FILE* out = open_memstream(&text, &size);
  {
    ConsoleProgress console(out, live);
    Progress progress = halfway();
    console.on_batch_end(progress);
    progress.batch = 960;
    if (!is_stopped) console.on_epoch_end(progress);
  }
  std::fclose(out);
  const std::string result(text, size);
  free(text);
  return result;
}

TEST(ConsoleProgress, RedrawsOneLineOnATerminal) {
  const std::string text = written_by(true);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\r'), 2);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1);
}

TEST(ConsoleProgress, EndsTheLineOfARunThatWasStopped) {
  const std::string text = written_by(true, true);
  EXPECT_EQ(text.find("320/960"), text.find_last_of('\r') + 12);
  EXPECT_EQ(text.back(), '\n');
  EXPECT_EQ(written_by(false, true), "");
}

TEST(ConsoleProgress, WritesOnlyWholeEpochsElsewhere) {
  const std::string text = written_by(false);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\r'), 0);
  EXPECT_EQ(text.find("epoch 2/5  960/960"), 0u);
}

}  // namespace
}  // namespace plimsoll
