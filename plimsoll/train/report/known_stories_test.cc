#include "plimsoll/train/report/known_stories.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "plimsoll/base/error.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

std::string epoch(int number, double loss) {
  return fmt::format(
      "{{\"event\":\"epoch\",\"epoch\":{},\"metrics\":{{\"loss\":{}}},\"samples\":10}}\n", number,
      loss);
}

const std::string kFinding =
    R"({"event":"finding","severity":"warning","where":"x.csv:3","what":"is empty","remedy":"fill it"})"
    "\n";
const std::string kStatistics =
    R"({"event":"statistics","step":4,"epoch":0,"loss":0.5,"learning_rate":0.1,)"
    R"("layers":[{"layer":"dense","activation":"relu","dead_unit_share":0.25}],)"
    R"("variables":[{"layer":"dense","name":"kernel","is_trained":true,"norm":2,"gradient_norm":1}]})"
    "\n";

class KnownStoriesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::ofstream(run() + "/run.json")
        << R"({"options": {"batch_size": 32, "epochs": 9}, "result": {"status": "running"}})";
  }
  void write_log(const std::string& text) const { std::ofstream(run() + "/log.jsonl") << text; }
  std::string run() const { return folder_.path().string(); }

 private:
  TemporaryFolder folder_;
};

TEST_F(KnownStoriesTest, HaveFindingsAndSampledStepsOfARunThatGoesOn) {
  KnownStories known;
  EXPECT_EQ(known.read(run()).story.status, "running");
  write_log(kFinding + kStatistics + epoch(1, 3) + "{\"event\":\"ep");
  const RunStory story = known.read(run()).story;
  ASSERT_EQ(story.findings.size(), 1u);
  EXPECT_EQ(story.findings[0].remedy, "fill it");
  ASSERT_EQ(story.statistics.size(), 1u);
  EXPECT_EQ(story.statistics[0].layers[0].dead_unit_share, 0.25);
  EXPECT_EQ(story.epochs.size(), 1u);
  EXPECT_EQ(story.planned_epochs, 9);
}

TEST_F(KnownStoriesTest, ReadOnlyWhatIsNewOfALogThatIsKnown) {
  KnownStories known;
  write_log(epoch(1, 3) + epoch(2, 2));
  known.read(run());
  // Other numbers at a place that was read would be seen by who reads it again.
  write_log(epoch(1, 7) + epoch(2, 7) + epoch(3, 1));
  const RunStory story = known.read(run()).story;
  ASSERT_EQ(story.epochs.size(), 3u);
  EXPECT_EQ(story.epochs[0].metrics.at("loss"), 3);
  EXPECT_EQ(story.epochs[2].metrics.at("loss"), 1);
}

TEST_F(KnownStoriesTest, BeginAnewWhenTheRunWentOnFromACheckpoint) {
  KnownStories known;
  write_log(epoch(1, 3) + epoch(2, 2));
  known.read(run());
  write_log(epoch(1, 4));
  const RunStory story = known.read(run()).story;
  ASSERT_EQ(story.epochs.size(), 1u);
  EXPECT_EQ(story.epochs[0].metrics.at("loss"), 4);
}

TEST_F(KnownStoriesTest, LeaveOutWhatIsNoEvent) {
  KnownStories known;
  write_log("no JSON\n[1]\n" + std::string(100'000, '[') + "\n" +
            R"({"event":"epoch","metrics":7})"
            "\n"
            R"({"event":"statistics","layers":3})"
            "\n"
            R"({"event":"epoch","metrics":{},"growing":[1]})"
            "\n"
            R"({"event":"finding","what":[1]})"
            "\n" +
            epoch(1, 3));
  const RunStory story = known.read(run()).story;
  EXPECT_EQ(story.epochs.size(), 1u);
  EXPECT_TRUE(story.statistics.empty());
  EXPECT_TRUE(story.findings.empty());
}

TEST_F(KnownStoriesTest, KeepTheBeginningAndTheEndOfALongLog) {
  KnownStories known({.head_bytes = 2000, .tail_bytes = 1000, .stories = 2});
  std::string log = kFinding;
  for (int number = 1; number <= 1000; ++number) log += epoch(number, number);
  write_log(log);
  const KnownStories::Known found = known.read(run());
  EXPECT_TRUE(found.is_cut);
  EXPECT_EQ(found.story.findings.size(), 1u);
  EXPECT_LT(found.story.epochs.size(), 60u);
  EXPECT_EQ(found.story.epochs.front().metrics.at("loss"), 1);
  EXPECT_EQ(found.story.epochs.back().metrics.at("loss"), 1000);
  // As it grows line by line, what is kept does not.
  for (int number = 1001; number <= 1300; ++number) {
    std::ofstream(run() + "/log.jsonl", std::ios::app) << epoch(number, number);
    EXPECT_LT(known.read(run()).story.epochs.size(), 120u);
  }
  EXPECT_EQ(known.read(run()).story.epochs.back().metrics.at("loss"), 1300);
}

TEST_F(KnownStoriesTest, OfARunThatIsDamagedOrHasALogThatIsALink) {
  KnownStories known;
  std::ofstream(run() + "/elsewhere") << epoch(1, 3);
  std::filesystem::create_symlink("elsewhere", run() + "/log.jsonl");
  EXPECT_TRUE(known.read(run()).story.epochs.empty());
  std::ofstream(run() + "/run.json") << "{}";
  EXPECT_THROW(known.read(run()), CorruptFile);
}

}  // namespace
}  // namespace plimsoll
