#include "plimsoll/base/bytes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(ParseBytes, ReadsEveryUnit) {
  EXPECT_EQ(parse_bytes("4096"), 4096);
  EXPECT_EQ(parse_bytes("7B"), 7);
  EXPECT_EQ(parse_bytes("3kB"), 3'000);
  EXPECT_EQ(parse_bytes("200MB"), 200'000'000);
  EXPECT_EQ(parse_bytes("2GB"), 2'000'000'000);
  EXPECT_EQ(parse_bytes("1TB"), 1'000'000'000'000);
  EXPECT_EQ(parse_bytes("3KiB"), 3 * 1024);
  EXPECT_EQ(parse_bytes("512MiB"), 512 * 1024 * 1024);
  EXPECT_EQ(parse_bytes("1.5GiB"), 1610612736);
  EXPECT_EQ(parse_bytes("1TiB"), int64_t{1} << 40);
}

TEST(ParseBytes, TakesALetterForAPowerOf1024) {
  EXPECT_EQ(parse_bytes("3K"), parse_bytes("3KiB"));
  EXPECT_EQ(parse_bytes("512M"), parse_bytes("512MiB"));
  EXPECT_EQ(parse_bytes("1.5g"), parse_bytes("1.5GiB"));
  EXPECT_EQ(parse_bytes("2 T"), parse_bytes("2TiB"));
}

TEST(ParseBytes, TakesOneSpaceAndAnyCase) {
  EXPECT_EQ(parse_bytes("512 MiB"), parse_bytes("512mib"));
  EXPECT_EQ(parse_bytes("1 kb"), parse_bytes("1KB"));
}

TEST(ParseBytes, CutsOffAFractionOfAByte) {
  EXPECT_EQ(parse_bytes("1.9"), 1);
  EXPECT_EQ(parse_bytes("0.0001KiB"), 0);
}

TEST(ParseBytes, IsExactUpToTheLargestInteger) {
  EXPECT_EQ(parse_bytes("9223372036854775807"), std::numeric_limits<int64_t>::max());
  EXPECT_EQ(parse_bytes("9007199254740993"), 9007199254740993);  // 2^53 + 1: no double holds it.
}

TEST(ParseBytes, RefusesWhatAnIntegerCannotHold) {
  for (const char* text :
       {"9223372036854775808", "8388608TiB", "1e30", "99999999999999999999999TB"})
    EXPECT_THROW(parse_bytes(text), InvalidArgument) << text;
  EXPECT_THROW(parse_bytes(std::string(5000, '9')), InvalidArgument);
}

TEST(ParseBytes, RefusesWhatIsNotASize) {
  for (const char* text : {"", " 1", "-1", "+1", "inf", "nan", "MiB", ".5GiB", "1.5.2GiB", "12 ",
                           "3Mi", "5P", "1  MiB", "1MiB ", "0x10", "50%"})
    EXPECT_THROW(parse_bytes(text), InvalidArgument) << "'" << text << "'";
}

TEST(ParseBytes, NamesTheTextAndTheAcceptedForms) {
  EXPECT_THAT([] { parse_bytes("3 apples"); },
              ThrowsMessage<InvalidArgument>(AllOf(HasSubstr("'3 apples'"), HasSubstr("'apples'"),
                                                   HasSubstr("512MiB"), HasSubstr("200MB"))));
}

TEST(FormatBytes, ChoosesTheLargestUnitThatLeavesAtLeastOne) {
  EXPECT_EQ(format_bytes(0), "0 B");
  EXPECT_EQ(format_bytes(1023), "1023 B");
  EXPECT_EQ(format_bytes(1024), "1.0 KiB");
  EXPECT_EQ(format_bytes(202794598), "193.4 MiB");
  EXPECT_EQ(format_bytes(int64_t{3} << 30), "3.0 GiB");
  EXPECT_EQ(format_bytes(std::numeric_limits<int64_t>::max()), "8.0 EiB");
}

TEST(FormatBytes, NeverWrites1024OfAUnit) {
  EXPECT_EQ(format_bytes(1024 * 1024 - 1), "1.0 MiB");
  EXPECT_EQ(format_bytes((int64_t{1} << 30) - 1), "1.0 GiB");
}

TEST(FormatBytes, KeepsTheSign) {
  EXPECT_EQ(format_bytes(-17), "-17 B");
  EXPECT_EQ(format_bytes(-1536), "-1.5 KiB");
  EXPECT_EQ(format_bytes(std::numeric_limits<int64_t>::min()), "-8.0 EiB");
}

TEST(FormatBytes, IsReadBackByParseBytes) {
  EXPECT_EQ(parse_bytes(format_bytes(int64_t{1536} << 20)), int64_t{1536} << 20);
  EXPECT_EQ(parse_bytes(format_bytes(1000)), 1000);
}

}  // namespace
}  // namespace plimsoll
