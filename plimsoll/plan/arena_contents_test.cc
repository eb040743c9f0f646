#include "plimsoll/plan/arena_contents.h"

#include <gtest/gtest.h>

namespace plimsoll::plan {
namespace {

TEST(ArenaContents, RememberTheLastWriterOfEachByte) {
  ArenaContents contents;
  contents.write(0, 100, 1);
  contents.write(40, 60, 2);
  EXPECT_EQ(contents.first_stranger(0, 40, 1), std::nullopt);
  EXPECT_EQ(contents.first_stranger(0, 41, 1), 2);
  EXPECT_EQ(contents.first_stranger(40, 60, 2), std::nullopt);
  EXPECT_EQ(contents.first_stranger(59, 61, 2), 1);
  EXPECT_EQ(contents.first_stranger(60, 101, 1), ArenaContents::kNobody);
}

TEST(ArenaContents, AreNotChangedByAnEmptyWrite) {
  ArenaContents contents;
  contents.write(0, 10, 1);
  contents.write(5, 5, 2);
  EXPECT_EQ(contents.first_stranger(0, 10, 1), std::nullopt);
  EXPECT_EQ(contents.first_stranger(5, 5, 2), std::nullopt);
}

}  // namespace
}  // namespace plimsoll::plan
