#include "plimsoll/graph/tensor_growth.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

using Lines = std::vector<LiveTensors>;

Lines line(int64_t count, int64_t bytes = 4) {
  return {{"main.cc", 7, count, bytes}};
}

TEST(TensorGrowth, NeedsMoreAtEveryLook) {
  TensorGrowth growth;
  for (const int64_t count : {5, 6, 9}) growth.look(line(count));
  EXPECT_TRUE(growth.grown(3).empty());
  growth.look(line(11));
  ASSERT_EQ(growth.grown(3).size(), 1u);
  EXPECT_EQ(growth.grown(3)[0].more, 6);
  EXPECT_EQ(growth.grown(3)[0].now.count, 11);
}

TEST(TensorGrowth, BeginsAgainWhereALookFindsNoMore) {
  TensorGrowth growth;
  for (const int64_t count : {1, 2, 3, 3, 4, 5}) growth.look(line(count));
  EXPECT_TRUE(growth.grown(3).empty());
  growth.look(line(6));
  ASSERT_EQ(growth.grown(3).size(), 1u);
  EXPECT_EQ(growth.grown(3)[0].more, 3);
}

TEST(TensorGrowth, CountsALineThatComesLaterFromNothing) {
  TensorGrowth growth;
  growth.look({});
  for (const int64_t count : {1, 2, 3}) growth.look(line(count));
  ASSERT_EQ(growth.grown(3).size(), 1u);
  EXPECT_EQ(growth.grown(3)[0].more, 3);
}

TEST(TensorGrowth, ForgetsALineThatIsGone) {
  TensorGrowth growth;
  for (const int64_t count : {1, 2, 3}) growth.look(line(count));
  growth.look({});
  growth.look(line(4));
  EXPECT_TRUE(growth.grown(2).empty());
}

TEST(TensorGrowth, PutsTheHeaviestLineFirst) {
  TensorGrowth growth;
  growth.look(Lines{{"a.cc", 1, 1, 8}, {"b.cc", 2, 1, 8}});
  growth.look(Lines{{"a.cc", 1, 2, 16}, {"b.cc", 2, 2, 1600}, {"c.cc", 3, 1, 1}});
  const std::vector<GrownLine> grown = growth.grown(1);
  ASSERT_EQ(grown.size(), 3u);
  EXPECT_EQ(grown[0].now.file, "b.cc");
  EXPECT_EQ(grown[0].more, 1);
  EXPECT_EQ(grown[2].now.file, "c.cc");
}

TEST(HeaviestLines, NamesThreeAndNoneThatHoldsNothing) {
  const Lines lines = {
      {"a.cc", 1, 1, 2048}, {"b.cc", 2, 30, 1024}, {"c.cc", 3, 1, 0}, {"d.cc", 4, 1, 0}};
  EXPECT_EQ(heaviest_lines(lines, "; held: "),
            "; held: a.cc:1 (2.0 KiB in 1 tensor), b.cc:2 (1.0 KiB in 30 tensors)");
  EXPECT_EQ(heaviest_lines(lines, "; held: ", 2000), "; held: a.cc:1 (2.0 KiB in 1 tensor)");
  EXPECT_EQ(heaviest_lines(std::span(lines).last(2), "; held: "), "");
}

}  // namespace
}  // namespace plimsoll
