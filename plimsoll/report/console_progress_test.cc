#include "plimsoll/report/console_progress.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>

#include "plimsoll/base/report_finding.h"
#include "tests/support/progress_cases.h"

namespace plimsoll {
namespace {

constexpr TerminalStyle kLive{.is_live = true};

std::string written_by(const TerminalStyle& style,
                       const std::function<void(ConsoleProgress&, std::FILE*)>& run,
                       const Monitored& monitored = {}) {
  char* text = nullptr;
  size_t size = 0;
  std::FILE* out = open_memstream(&text, &size);
  {
    ConsoleProgress console(out, style, monitored);
    run(console, out);
  }
  std::fclose(out);
  const std::string result(text, size);
  free(text);
  return result;
}

void half_an_epoch(ConsoleProgress& console, std::FILE*) {
  console.on_batch_end(testing::halfway());
}

void one_epoch(ConsoleProgress& console, std::FILE* out) {
  half_an_epoch(console, out);
  Progress progress = testing::halfway();
  progress.batch = 960;
  console.on_epoch_end(progress);
}

TEST(ConsoleProgress, WipesTheLineForTheRowOfTheEpoch) {
  const std::string text = written_by(kLive, one_epoch);
  EXPECT_EQ(text.find("\repoch 2/5 ["), 0u) << text;
  EXPECT_NE(text.find(" \repoch     time"), std::string::npos) << text;
  EXPECT_NE(text.find("\n  2/5     2.0s    0.4312"), std::string::npos) << text;
  EXPECT_EQ(text.back(), '\n');
}

TEST(ConsoleProgress, WritesOnlyWholeEpochsElsewhere) {
  const std::string text = written_by({}, one_epoch);
  EXPECT_EQ(std::ranges::count(text, '\r'), 0);
  EXPECT_EQ(text.find("epoch 2/5  960/960  loss 0.4312  accuracy 0.8467  "), 0u);
  EXPECT_EQ(std::ranges::count(text, '\n'), 1);
}

TEST(ConsoleProgress, EndsTheLineOfARunThatWasStopped) {
  const std::string text = written_by(kLive, half_an_epoch);
  EXPECT_EQ(text.find_last_of('\r'), 0u);
  EXPECT_EQ(text.back(), '\n');
  EXPECT_EQ(written_by({}, half_an_epoch), "");
}

TEST(ConsoleProgress, DrawsAtMostTenTimesPerSecond) {
  const std::string text = written_by(kLive, [](ConsoleProgress& console, std::FILE* out) {
    for (int i = 0; i < 1000; ++i) half_an_epoch(console, out);
  });
  EXPECT_LE(std::ranges::count(text, '\r'), 20);
}

// What has no size of its own has that of COLUMNS.
TEST(ConsoleProgress, BreaksTheFinishedLineOfAnEvaluationBetweenItsFields) {
  setenv("COLUMNS", "40", 1);
  const std::string text = written_by(kLive, [](ConsoleProgress& console, std::FILE*) {
    Progress progress = testing::halfway();
    progress.work = "evaluate";
    console.on_epoch_end(progress);
  });
  unsetenv("COLUMNS");
  EXPECT_EQ(text,
            "evaluate 320/960  loss 0.4312\n    accuracy 0.8467  5,120 samples/s\n"
            "    time 0:02  memory 60.0 MiB\n");
}

std::string marks(const std::vector<double>& values, const Monitored& monitored, double before) {
  const std::string text = written_by(
      kLive,
      [&](ConsoleProgress& console, std::FILE*) {
        if (before != 0) console.set_best(before);
        for (const double value : values) {
          const NamedNumber numbers[] = {{"loss", value}};
          Progress progress = testing::halfway();
          progress.metrics = numbers;
          console.on_epoch_end(progress);
        }
      },
      monitored);
  std::string marks;
  for (size_t at = text.find('\n') + 1; at < text.size(); at = text.find('\n', at) + 1)
    marks += text.substr(at, text.find('\n', at) - at).ends_with("best") ? '*' : '.';
  return marks;
}

TEST(ConsoleProgress, MarksEpochsThatAreBetterThanAllBefore) {
  const double nan = 0.0 / 0.0;
  EXPECT_EQ(marks({3, 2, 2.5, nan, 2, 1}, {}, 0), "**...*");
  EXPECT_EQ(marks({3, 2, 2.5, 4}, {"loss", true}, 0), "*..*");
  EXPECT_EQ(marks({3, 2, 1}, {"loss", false}, 2.5), ".**");
  EXPECT_EQ(marks({3, 2}, {"val_loss", false}, 0), "..");
}

TEST(ConsoleProgress, PutsAFindingAboveTheLineAndDrawsItAgain) {
  const std::string text = written_by(kLive, [](ConsoleProgress& console, std::FILE* out) {
    half_an_epoch(console, out);
    const AboveMovingLine above;
    std::fputs("plimsoll: warning: a finding\n", out);
  });
  const size_t line = text.find("epoch 2/5 ["), finding = text.find("\rplimsoll: warning: a f");
  ASSERT_NE(finding, std::string::npos) << text;
  EXPECT_LT(line, finding);
  EXPECT_EQ(text[finding - 1], ' ') << "the line is wiped first";
  EXPECT_EQ(text.find("epoch 2/5 [", finding), text.find('\n') + 1) << text;
}

TEST(ConsoleProgress, LeavesNothingToDrawAfterTheEpoch) {
  const std::string text = written_by(kLive, [](ConsoleProgress& console, std::FILE* out) {
    one_epoch(console, out);
    const AboveMovingLine above;
    std::fputs("a finding\n", out);
  });
  EXPECT_TRUE(text.ends_with("MiB  best\na finding\n")) << text;
}

}  // namespace
}  // namespace plimsoll
