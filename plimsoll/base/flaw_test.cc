#include "plimsoll/base/flaw.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TEST(FlawTest, SaysWhichFlawItIsAbout) {
  const FlawedRecord error(Flaw::truncated, "a.jpg: ends too early");
  EXPECT_EQ(flaw_of(error), Flaw::truncated);
  EXPECT_STREQ(error.what(), "a.jpg: ends too early");
}

TEST(FlawTest, OtherErrorsAreToldByTheirKind) {
  EXPECT_EQ(flaw_of(IoError("")), Flaw::unreadable);
  EXPECT_EQ(flaw_of(CorruptFile("")), Flaw::damaged);
  EXPECT_EQ(flaw_of(NotFinite("")), Flaw::not_finite);
  EXPECT_EQ(flaw_of(InvalidArgument("")), Flaw::invalid);
  EXPECT_EQ(flaw_of(std::runtime_error("")), Flaw::invalid);
}

TEST(FlawTest, WordsAreThoseOfTheFlaws) {
  EXPECT_EQ(to_string(Flaw::unreadable), "unreadable");
  EXPECT_EQ(to_string(Flaw::not_an_image), "not_an_image");
  EXPECT_EQ(to_string(Flaw::not_a_number), "not_a_number");
  EXPECT_EQ(to_string(Flaw::out_of_range), "out_of_range");
  EXPECT_EQ(to_string(Flaw::invalid), "invalid");
}

}  // namespace
}  // namespace plimsoll
