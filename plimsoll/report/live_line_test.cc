#include "plimsoll/report/live_line.h"

#include <gtest/gtest.h>

#include <string>

#include "plimsoll/base/printable.h"
#include "tests/support/progress_cases.h"

namespace plimsoll {
namespace {

constexpr TerminalStyle kUtf8{.is_live = true, .is_utf8 = true};
constexpr TerminalStyle kAscii{.is_live = true};

std::string live(const Progress& progress, size_t columns = 200,
                 const TerminalStyle& style = kUtf8) {
  std::string buffer(8192, '\0');
  return std::string(live_line(progress, style, columns, buffer.data(), buffer.size()).text);
}

// A third is done; 60 MiB of a planned peak of 75 and of the 100 that were given are used.
Progress loaded() {
  Progress progress = testing::halfway();
  progress.planned_bytes = 75 << 20;
  progress.budget_bytes = 100 << 20;
  progress.wait_seconds = 0.5;
  return progress;
}

TEST(LiveLine, SaysWhereTheEpochIs) {
  EXPECT_EQ(live(loaded()),
            "epoch 2/5 ━━━━━─────────── 320/960  0:04 left  loss 0.4312  accuracy 0.8467  "
            "memory 60.0 MiB █████░│░  waits for data 25%  5,120 samples/s");
}

TEST(LiveLine, IsPlainAsciiWhereTheLocaleIsNotUtf8) {
  EXPECT_EQ(live(loaded(), 200, kAscii),
            "epoch 2/5 [=====>          ] 320/960  0:04 left  loss 0.4312  accuracy 0.8467  "
            "memory 60.0 MiB #####.|.  waits for data 25%  5,120 samples/s");
}

TEST(LiveLine, OfAnUnknownNumberOfBatchesHasNoBarAndTheTimeThatHasPassed) {
  Progress progress = testing::halfway();
  progress.batches = 0;
  EXPECT_EQ(live(progress).find("epoch 2/5 320/?  time 0:02  loss"), 0u);
}

TEST(LiveLine, IsSilentAboutShortWaits) {
  Progress progress = loaded();
  progress.wait_seconds = 0.09;
  EXPECT_EQ(live(progress).find("waits"), std::string::npos);
}

TEST(LiveLine, MarksThePlanAlsoWhereMemoryIsBeyondIt) {
  Progress progress = loaded();
  progress.budget_bytes = 0;
  EXPECT_NE(live(progress).find("60.0 MiB ██████░│ "), std::string::npos) << live(progress);
  progress.resident_bytes = 150 << 20;
  EXPECT_NE(live(progress).find("150.0 MiB ████│███ "), std::string::npos) << live(progress);
}

TEST(LiveLine, CountsBatchesInAFixedWidth) {
  Progress progress = testing::halfway();
  progress.batch = 5;
  EXPECT_NE(live(progress).find("─   5/960  "), std::string::npos) << live(progress);
}

TEST(LiveLine, HasColoursThatTakeNoColumns) {
  const TerminalStyle coloured{.is_live = true, .is_utf8 = true, .has_colours = true};
  for (size_t columns = 20; columns <= 200; ++columns)
    EXPECT_EQ(testing::without_colours(live(loaded(), columns, coloured)), live(loaded(), columns));
  EXPECT_NE(live(loaded(), 200, coloured).find("\x1b[32m"), std::string::npos);
}

const NamedNumber kMany[] = {{"loss", 0.5}, {"auc", 0.25}, {"mae", 1.5}, {"val_loss", 0.75}};

// Each width is one less than the line before needs.
TEST(LiveLine, LeavesOutWhatMattersLeastFirst) {
  Progress progress = loaded();
  progress.metrics = kMany;
  const std::string tail = "  loss 0.5000  auc 0.2500  mae 1.5000  val_loss 0.7500";
  const std::string wide = "epoch 2/5 ━━━━━─────────── 320/960  0:04 left";
  const std::string expected[] = {
      wide + tail + "  memory 60.0 MiB █████░│░  waits for data 25%  5,120 samples/s",
      wide + tail + "  memory 60.0 MiB █████░│░  waits for data 25%",
      wide + tail + "  mem ████│░  waits for data 25%",
      "epoch 2/5 ━━──── 320/960  0:04 left" + tail + "  mem ████│░  waits for data 25%",
      "epoch 2/5 ━━──── 320/960  0:04 left" + tail + "  waits for data 25%",
      "epoch 2/5 ━━──── 320/960  0:04 left" + tail,
      "epoch 2/5 ━━──── 320/960  0:04 left  loss 0.5000  auc 0.2500  val_loss 0.7500",
      "epoch 2/5 ━━──── 320/960  0:04 left  loss 0.5000  val_loss 0.7500",
      "epoch 2/5 320/960  0:04 left  loss 0.5000  val_loss 0.7500",
      "epoch 2/5 320/960  loss 0.5000  val_loss 0.7500",
      "epoch 2/5 320/960  loss 0.5000",
      "epoch 2/5  loss 0.5000",
      "loss 0.5000",
      "epoch 2/5",
      "epoch 2/",
  };
  size_t columns = 300;
  for (const std::string& line : expected) {
    EXPECT_EQ(live(progress, columns), line) << columns;
    columns = columns_of(line) - 1;
  }
}

TEST(LiveLine, IsNeverWiderThanTheTerminal) {
  for (unsigned seed = 0; seed < 25; ++seed) {
    testing::RandomProgress random(seed);
    const Progress progress = random.progress();
    for (size_t columns = 0; columns <= 200; ++columns) {
      const std::string line = live(progress, columns, seed % 2 == 0 ? kUtf8 : kAscii);
      ASSERT_LE(columns_of(line), columns) << seed << ": " << line;
      ASSERT_EQ(printable(line), line) << seed;  // no character is cut in two, none steers
    }
  }
}

}  // namespace
}  // namespace plimsoll
