#include "plimsoll/report/plain_line.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/progress_cases.h"

namespace plimsoll {
namespace {

std::string plain(const Progress& progress, size_t size = 512) {
  std::string buffer(size, '\0');
  return std::string(plain_line(progress, buffer.data(), size));
}

TEST(PlainLine, OfADoneEpochSaysHowLongItTook) {
  Progress progress = testing::halfway();
  progress.batch = 960;
  progress.samples = 30720000;
  progress.seconds = 3725;
  EXPECT_EQ(plain(progress),
            "epoch 2/5  960/960  loss 0.4312  accuracy 0.8467  8,247 samples/s  time 1:02:05  "
            "memory 60.0 MiB");
}

TEST(PlainLine, HasAQuestionMarkWhileTheNumberOfBatchesIsNotKnown) {
  Progress progress = testing::halfway();
  progress.batches = 0;
  EXPECT_EQ(plain(progress),
            "epoch 2/5  320/?  loss 0.4312  accuracy 0.8467  5,120 samples/s  time 0:02  "
            "memory 60.0 MiB");
}

TEST(PlainLine, OfAnEvaluationHasNoEpoch) {
  Progress progress = testing::halfway();
  progress.work = "evaluate";
  EXPECT_EQ(plain(progress).find("evaluate 320/960  loss 0.4312"), 0u);
}

TEST(PlainLine, ShowsSmallNumbersToo) {
  const NamedNumber rates[] = {{"learning_rate", 0.00012}, {"loss", 0}};
  Progress progress = testing::halfway();
  progress.metrics = rates;
  EXPECT_NE(plain(progress).find("learning_rate 1.200e-04  loss 0.0000"), std::string::npos);
}

TEST(PlainLine, ShowsControlCharactersOfNames) {
  const NamedNumber named[] = {{"lo\x1b[31mss", 0.5}};
  Progress progress = testing::halfway();
  progress.metrics = named;
  EXPECT_NE(plain(progress).find("  lo\\x1b[31mss 0.5000  "), std::string::npos);
}

TEST(PlainLine, IsCutWhereItDoesNotFitTheBuffer) {
  EXPECT_EQ(plain(testing::halfway(), 12), "epoch 2/5  ");
}

}  // namespace
}  // namespace plimsoll
