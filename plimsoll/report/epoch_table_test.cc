#include "plimsoll/report/epoch_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "plimsoll/base/printable.h"
#include "tests/support/progress_cases.h"

namespace plimsoll {
namespace {

constexpr TerminalStyle kPlain{.is_live = true, .is_utf8 = true};
const NamedNumber kNumbers[] = {
    {"loss", 0.7368}, {"accuracy", 0.7414}, {"val_loss", 0.5401}, {"val_accuracy", 0.792}};

Progress done(int64_t epoch, std::span<const NamedNumber> metrics) {
  Progress progress = testing::halfway();
  progress.epoch = epoch;
  progress.batch = progress.batches;
  progress.metrics = metrics;
  return progress;
}

TEST(EpochTable, HasOneHeaderAndARowPerEpoch) {
  EpochTable table(kPlain);
  EXPECT_EQ(table.lines({done(0, kNumbers), "val_loss", true}, 100),
            "epoch     time      loss  accuracy  val_loss  val_accuracy      memory\n"
            "  1/5     2.0s    0.7368    0.7414    0.5401        0.7920    60.0 MiB  best\n");
  Progress long_one = done(1, kNumbers);
  long_one.seconds = 3725;
  EXPECT_EQ(table.lines({long_one, "val_loss", false}, 100),
            "  2/5  1:02:05    0.7368    0.7414    0.5401        0.7920    60.0 MiB\n");
}

TEST(EpochTable, LeavesOutColumnsThatDoNotFitAndSaysHowMany) {
  EpochTable table(kPlain);
  EXPECT_EQ(table.lines({done(0, kNumbers), "val_loss", true}, 40),
            "epoch     time      loss  val_loss +3\n"
            "  1/5     2.0s    0.7368    0.5401  *\n");
  EXPECT_EQ(table.lines({done(1, kNumbers), "val_accuracy", false}, 40),
            "epoch      loss  val_accuracy +4\n"
            "  2/5    0.7368        0.7920\n");
  EXPECT_EQ(table.lines({done(2, kNumbers), "val_loss", true}, 20),
            "epoch  val_loss +5\n"
            "  3/5    0.5401  *\n");
}

TEST(EpochTable, KeepsTheColumnsOfAValidationThatIsNotOfEveryEpoch) {
  EpochTable table(kPlain);
  const auto header_lines = [&](int64_t epoch, std::span<const NamedNumber> metrics) {
    const std::string lines = table.lines({done(epoch, metrics), "val_loss", false}, 100);
    return std::ranges::count(lines, '\n') - 1;
  };
  EXPECT_EQ(header_lines(0, std::span(kNumbers).first(2)), 1);
  EXPECT_EQ(header_lines(1, kNumbers), 1);
  EXPECT_EQ(header_lines(2, std::span(kNumbers).first(2)), 0);
  EXPECT_EQ(header_lines(3, kNumbers), 0);
}

TEST(EpochTable, WritesAnyNumberInEightColumns) {
  EXPECT_EQ(number_in_table(0.43121), "0.4312");
  EXPECT_EQ(number_in_table(0), "0.0000");
  EXPECT_EQ(number_in_table(12345.678), "12345.68");
  EXPECT_EQ(number_in_table(-1234567.8), "-1234568");
  EXPECT_EQ(number_in_table(123456789), "1.23e+08");
  EXPECT_EQ(number_in_table(-0.00012), "-1.2e-04");
  EXPECT_EQ(number_in_table(1.7e308), "1.7e+308");
  EXPECT_EQ(number_in_table(-1.7e-308), "-2e-308");
  EXPECT_EQ(number_in_table(1.0 / 0.0), "inf");
}

TEST(EpochTable, IsNeverWiderThanTheTerminalAndItsRowsEndWhereTheHeaderDoes) {
  for (unsigned seed = 0; seed < 25; ++seed) {
    testing::RandomProgress random(seed);
    for (size_t columns = 20; columns <= 200; ++columns) {
      EpochTable table(kPlain);
      Progress progress = random.progress();
      std::istringstream lines(table.lines({progress, "loss", seed % 2 == 0}, columns));
      std::string header, row;
      ASSERT_TRUE(std::getline(lines, header) && std::getline(lines, row));
      ASSERT_LE(std::max(columns_of(header), columns_of(row)), columns) << header << "\n" << row;
      ASSERT_EQ(printable(row + header), row + header);
      const auto names_end = header.find(" +");
      const auto cells_end = std::min({row.size(), row.find("  best"), row.find("  *")});
      ASSERT_EQ(columns_of(header.substr(0, names_end)), columns_of(row.substr(0, cells_end)))
          << header << "\n"
          << row;
    }
  }
}

}  // namespace
}  // namespace plimsoll
