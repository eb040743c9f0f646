#include "plimsoll/report/console_progress.h"

#include <gtest/gtest.h>

#include "plimsoll/base/printable.h"

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
            "memory 60.0 MiB");
}

TEST(ProgressLine, OfADoneEpochSaysHowLongItTook) {
  Progress progress = halfway();
  progress.batch = 960;
  progress.samples = 30720000;
  progress.seconds = 3725;
  EXPECT_EQ(line_of(progress),
            "epoch 2/5  960/960  loss 0.4312  accuracy "
            "0.8467  8,247 samples/s  time 1:02:05  memory 60.0 MiB");
}

TEST(ProgressLine, SaysHowLongItTookWhileTheNumberOfBatchesIsNotKnown) {
  Progress progress = halfway();
  progress.batches = 0;
  EXPECT_EQ(line_of(progress),
            "epoch 2/5  320/?  loss 0.4312  accuracy 0.8467  5,120 samples/s  time 0:02  "
            "memory 60.0 MiB");
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

std::string fitted(const Progress& progress, size_t columns) {
  std::string buffer(8192, '\0');
  return std::string(progress_line(progress, columns, buffer.data(), buffer.size()));
}

const NamedNumber kMany[] = {{"loss", 0.5},     {"auc", 0.25},      {"mae", 1.5},
                             {"recall", 0.125}, {"val_loss", 0.75}, {"val_mae", 2.5}};

TEST(ProgressLine, LeavesOutWhatMattersLeast) {
  Progress progress = halfway();
  progress.metrics = kMany;
  const std::string whole =
      "epoch 2/5  320/960  loss 0.5000  auc 0.2500  mae 1.5000  recall 0.1250  val_loss 0.7500  "
      "val_mae 2.5000  5,120 samples/s  0:04 left  memory 60.0 MiB";
  EXPECT_EQ(fitted(progress, 200), whole);
  EXPECT_EQ(fitted(progress, whole.size()), whole);
  EXPECT_EQ(fitted(progress, whole.size() - 1),
            "epoch 2/5  320/960  loss 0.5000  auc 0.2500  mae 1.5000  recall 0.1250  "
            "val_loss 0.7500  val_mae 2.5000  0:04 left  memory 60.0 MiB");
  EXPECT_EQ(fitted(progress, 80),
            "epoch 2/5  320/960  loss 0.5000  auc 0.2500  val_loss 0.7500  0:04 left");
  EXPECT_EQ(fitted(progress, 40), "epoch 2/5  320/960  loss 0.5000");
  EXPECT_EQ(fitted(progress, 25), "epoch 2/5  loss 0.5000");
  EXPECT_EQ(fitted(progress, 12), "epoch 2/5");
  EXPECT_EQ(fitted(progress, 5), "epoch");
}

TEST(ProgressLine, IsNeverWiderThanTheTerminal) {
  const NamedNumber wide[] = {{"loss", 0.5},
                              {"genauigkeit_f\xc3\xbcr_k\xc3\xa4tzchen", 1},
                              {"\xe7\x8c\xab\xe7\x8c\xab", 2}};
  Progress progress = halfway();
  progress.metrics = wide;
  for (size_t columns = 0; columns < 130; ++columns) {
    std::string line = fitted(progress, columns);
    EXPECT_LE(columns_of(line), columns);
    EXPECT_EQ(printable(line), line);  // no character is cut in two
  }
}

TEST(ProgressLine, ShowsControlCharactersOfNames) {
  const NamedNumber named[] = {{"lo\x1b[31mss", 0.5}};
  Progress progress = halfway();
  progress.metrics = named;
  EXPECT_NE(line_of(progress).find("  lo\\x1b[31mss 0.5000  "), std::string::npos);
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
  EXPECT_EQ(text.find("\repoch 2/5  320/960"), 0u);
  EXPECT_NE(text.find("\repoch 2/5  960/960"), std::string::npos);
}

// What has no size of its own has that of COLUMNS.
TEST(ConsoleProgress, BreaksAFinishedLineBetweenItsFields) {
  setenv("COLUMNS", "40", 1);
  const std::string text = written_by(true);
  unsetenv("COLUMNS");
  EXPECT_NE(text.find("\repoch 2/5  960/960  loss 0.4312\n    accuracy 0.8467  "),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("\n    time 0:02  memory 60.0 MiB\n"), std::string::npos) << text;
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
