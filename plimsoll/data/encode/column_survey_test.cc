#include "plimsoll/data/encode/column_survey.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace plimsoll {
namespace {

using ::testing::HasSubstr;
using Kind = ColumnSurvey::Kind;
using Cells = std::vector<std::string>;

ColumnSurvey survey_of(const Cells& cells) {
  ColumnSurvey survey;
  for (const std::string& cell : cells) survey.add(cell);
  return survey;
}

Kind kind_of(const Cells& cells) {
  return survey_of(cells).result(false).kind;
}

TEST(ColumnSurvey, SaysWhatMostCellsAre) {
  EXPECT_EQ(kind_of({"1", "2.5", "", "-3"}), Kind::number);
  EXPECT_EQ(kind_of({"12%", "8%"}), Kind::number);
  EXPECT_EQ(kind_of({"2024-01-31", "N/A", "2024-02-01 12:00"}), Kind::date);
  EXPECT_EQ(kind_of({"yes", "No", "?"}), Kind::boolean);
  EXPECT_EQ(kind_of({"male", "female"}), Kind::text);
  EXPECT_EQ(kind_of({"", "NA"}), Kind::empty);
  EXPECT_EQ(kind_of({"14:30", "9:05"}), Kind::date);
}

TEST(ColumnSurvey, AFewOthersDoNotMakeNumbersText) {
  Cells cells(999, "12");
  cells.emplace_back("12x");
  EXPECT_EQ(kind_of(cells), Kind::number);
  EXPECT_EQ(kind_of({"1", "2", "3", "4", "x"}), Kind::number) << "four in five";
  const auto result = survey_of({"1", "2", "3", "x"}).result(false);
  EXPECT_EQ(result.kind, Kind::text);
  EXPECT_THAT(result.note, HasSubstr("has 3 numbers in 4 cells, fewer than four in five"));
  EXPECT_THAT(result.note, HasSubstr("'x'"));
  EXPECT_EQ(kind_of({"yes", "no", "no", "no", "no", "maybe"}), Kind::text);
}

TEST(ColumnSurvey, FindsHowNumbersAreWritten) {
  const auto format = [](const Cells& cells, bool comma = false) {
    return survey_of(cells).number_format(comma);
  };
  EXPECT_EQ(format({"1", "2.5"}), NumberFormat{});
  EXPECT_EQ(format({"1.5", "1,234.5"}), (NumberFormat{'.', ',', ""}));
  EXPECT_EQ(format({"1,5", "1.100,5"}), (NumberFormat{',', '.', ""}));
  EXPECT_EQ(format({"1,234", "0,125"}), (NumberFormat{',', 0, ""}));
  EXPECT_EQ(format({"1,234", "1,234,567"}), (NumberFormat{'.', ',', ""}));
  EXPECT_EQ(format({"12 345,5", "3"}), (NumberFormat{',', ' ', ""}));
  EXPECT_EQ(format({"$5", "$1,000.00", "7"}), (NumberFormat{'.', ',', "$"}));
  EXPECT_EQ(format({"1.234", "5.678"}), NumberFormat{}) << "as programs write";
}

TEST(ColumnSurvey, SaysThatANumberMayBeTwo) {
  const ColumnSurvey survey = survey_of({"1,234", "5,678"});
  EXPECT_EQ(survey.number_format(false), (NumberFormat{'.', ',', ""}));
  EXPECT_EQ(survey.number_format(true), (NumberFormat{',', 0, ""}));
  EXPECT_THAT(survey.result(false).note,
              HasSubstr("'1,234', and no other shows whether this is 1234 or "
                        "1.234; it is taken for 1234"));
  EXPECT_THAT(survey.result(true).note, HasSubstr("it is taken for 1.234"));
  EXPECT_EQ(survey_of({"1,5", "1,234"}).result(false).note, "");
}

TEST(ColumnSurvey, DoesNotGuessWhichOfDayAndMonthIsFirst) {
  const auto unclear = survey_of({"03/04/2024", "05/06/2024"}).result(false);
  EXPECT_EQ(unclear.kind, Kind::unclear);
  EXPECT_THAT(unclear.note, HasSubstr("'03/04/2024'"));
  EXPECT_EQ(survey_of({"03/04/2024", "05/16/2024"}).date_format().order, DateFormat::Order::mdy);
  EXPECT_EQ(survey_of({"03/04/2024", "16/05/2024"}).date_format().order, DateFormat::Order::dmy);
  EXPECT_EQ(kind_of({"03.04.2024", "05.06.2024"}), Kind::date) << "points go with the day first";
}

TEST(ColumnSurvey, DoesNotMixUnits) {
  EXPECT_EQ(kind_of({"$5", "$6", "7", "8"}), Kind::unclear);
}

}  // namespace
}  // namespace plimsoll
