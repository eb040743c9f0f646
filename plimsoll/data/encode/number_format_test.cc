#include "plimsoll/data/encode/number_format.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace plimsoll {
namespace {

std::optional<double> value_of(std::string_view text, const NumberFormat& format = {}) {
  const auto read = parse_number(text, format);
  return read ? std::optional(read->value) : std::nullopt;
}

TEST(NumberFormat, ReadsWhatProgramsWrite) {
  EXPECT_EQ(value_of("12"), 12);
  EXPECT_EQ(value_of(" -12.50 "), -12.5);
  EXPECT_EQ(value_of("+.5"), 0.5);
  EXPECT_EQ(value_of("5."), 5);
  EXPECT_EQ(value_of("1e-3"), 0.001);
  EXPECT_EQ(value_of("\u22127"), -7);
}

TEST(NumberFormat, ReadsDecimalCommasAndGroups) {
  const NumberFormat german{.decimal = ',', .thousands = '.'}, english{.thousands = ','};
  EXPECT_EQ(value_of("1.100,5", german), 1100.5);
  EXPECT_EQ(value_of("-1.234.567", german), -1234567);
  EXPECT_EQ(value_of("1,234.5", english), 1234.5);
  EXPECT_EQ(value_of("12 345,6", {.decimal = ',', .thousands = ' '}), 12345.6);
  EXPECT_EQ(value_of("12\u00a0345", {.thousands = ' '}), 12345);
  EXPECT_EQ(value_of("12'345.5", {.thousands = '\''}), 12345.5);
}

TEST(NumberFormat, RefusesGroupsThatAreNone) {
  const NumberFormat english{.thousands = ','};
  for (const char* text : {"1,23", "1234,567", "0,125", ",123", "1,234,56", "1,,234", "1,234,"})
    EXPECT_EQ(value_of(text, english), std::nullopt) << text;
  EXPECT_EQ(value_of("1,234"), std::nullopt) << "a format without groups";
}

TEST(NumberFormat, AUnitMustBeThere) {
  EXPECT_EQ(value_of("12%", {.unit = "%"}), 12);
  EXPECT_EQ(value_of("12 %", {.unit = "%"}), 12);
  EXPECT_EQ(value_of("-$1,234.50", {.thousands = ',', .unit = "$"}), -1234.5);
  EXPECT_EQ(value_of("$-3", {.unit = "$"}), -3);
  EXPECT_EQ(value_of("3,50 €", {.decimal = ',', .unit = "€"}), 3.5);
  EXPECT_EQ(value_of("12", {.unit = "%"}), std::nullopt);
  EXPECT_EQ(value_of("12%"), std::nullopt);
}

TEST(NumberFormat, RefusesWhatIsNoNumber) {
  for (const char* text : {"", "-", "12x", "1.2.3", "inf", "nan", "1e999", "--1", "1e", "0x10",
                           "1 2", "e5", ".", "$76.4"})
    EXPECT_EQ(value_of(text), std::nullopt) << text;
  EXPECT_EQ(value_of(std::string(100, '1')), std::nullopt);
}

TEST(NumberFormat, KnowsUnits) {
  EXPECT_EQ(known_unit("12%"), "%");
  EXPECT_EQ(known_unit("-€5"), "€");
  EXPECT_EQ(known_unit("5 CHF"), "CHF");
  EXPECT_EQ(known_unit("5 kg"), "");
}

TEST(NumberFormat, WritesWhatItReads) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> digits(-1, 1), exponent(-9, 12);
  for (int i = 0; i < 3000; ++i) {
    const auto& marks = kNumberMarks[random() % kNumberMarks.size()];
    constexpr const char* kSomeUnits[] = {"", "%", "$", "€", "CHF"};
    const NumberFormat format{marks[0], marks[1], kSomeUnits[random() % 5]};
    const double number = digits(random) * std::pow(10, exponent(random));
    const std::string text = format_number(number, format);
    const auto read = value_of(text, format);
    ASSERT_TRUE(read) << text;
    EXPECT_NEAR(*read, number, 1e-6 * std::abs(number)) << text;
  }
}

}  // namespace
}  // namespace plimsoll
