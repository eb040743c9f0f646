#include "plimsoll/data/check/table_to_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "plimsoll/base/error.h"
#include "plimsoll/data/check/check_records.h"
#include "tests/support/messages.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;
using testing::message_of;

class Table : public ::testing::Test {
 protected:
  DataToCheck open(const std::string& text, const TableToCheckOptions& options = {}) {
    path_ = folder_.path("t.csv");
    std::ofstream(path_) << text;
    return open_table_to_check(path_, options);
  }
  static CheckReport check(const DataToCheck& table) {
    return check_records(*table.records, {.fields = table.fields, .known = table.bad});
  }
  // "4 missing column 'a' has no value": the line, the flaw and the detail of each.
  std::vector<std::string> bad(const DataToCheck& table) const {
    std::vector<std::string> texts;
    for (const BadEntry& entry : check(table).bad)
      texts.push_back(entry.path.substr(folder_.path().string().size() + 1) + " " +
                      std::string(to_string(entry.flaw)) + " " + entry.detail);
    return texts;
  }
  static std::vector<float> row(const DataToCheck& table, int64_t record) {
    std::vector<float> x(static_cast<size_t>(table.records->fields()[0].shape.elements()));
    float y = -1;
    int32_t label = 0;
    const bool is_label = table.records->fields().back().dtype == DType::int32;
    std::vector<std::byte*> into = {reinterpret_cast<std::byte*>(x.data())};
    if (table.records->fields().size() > 1)
      into.push_back(is_label ? reinterpret_cast<std::byte*>(&label)
                              : reinterpret_cast<std::byte*>(&y));
    table.records->read(record, into);
    x.push_back(is_label ? static_cast<float>(label) : y);
    return x;
  }

  TemporaryFolder folder_;
  std::string path_;
};

TEST_F(Table, LoadsGoodRecordsAsTheyAre) {
  const DataToCheck table = open("a,b,price\n1,2,10\n3,4,20\n", {.targets = {"price"}});
  EXPECT_THAT(table.bad, IsEmpty());
  EXPECT_THAT(table.warnings, IsEmpty());
  EXPECT_EQ(table.records->size(), 2);
  EXPECT_THAT(row(table, 1), ElementsAre(3, 4, 20));
  EXPECT_EQ(table.records->name(1), path_ + ":3");
  EXPECT_THAT(table.fields[0].columns, ElementsAre("a", "b"));
  EXPECT_EQ(table.fields[1].role, FieldRole::target);
}

TEST_F(Table, TellsEachBadRecordAndGoesOn) {
  const DataToCheck table = open("a,b,price\n1,2,10\n,4,20\n1,x,3\n1,2\n\"1\n\",2,3\n5,6,\n7,8,9\n",
                                 {.targets = {"price"}});
  EXPECT_THAT(
      bad(table),
      ElementsAre(MatchesRegex("t.csv:3 missing .*column 'a' has no value"),
                  MatchesRegex("t.csv:4 not_a_number .*column 'b' expected a number, found "
                               "'x'"),
                  MatchesRegex("t.csv:5 shape .*expected 3 fields as in the header, found 2"),
                  HasSubstr("t.csv:6 not_a_number "),
                  MatchesRegex("t.csv:8 missing .*column 'price' has no value")));
  EXPECT_EQ(check(table).bad[4].record, 5);
  EXPECT_EQ(table.records->size(), 7);
  EXPECT_THAT(row(table, 6), ElementsAre(7, 8, 9));
  EXPECT_EQ(table.records->name(6), path_ + ":9");
}

TEST_F(Table, FillsGapsWithWhatStandsForThem) {
  const DataToCheck table = open("a,b\n1,2\n,4\n", {.missing = -1});
  EXPECT_THAT(table.bad, IsEmpty());
  EXPECT_THAT(row(table, 1), ElementsAre(-1, 4, -1));
}

TEST_F(Table, MakesClassesOfATextTarget) {
  const DataToCheck table = open("a,kind\n1,dog\n2,cat\n3,\n4,dog\n", {.targets = {"kind"}});
  EXPECT_THAT(table.records->class_names(), ElementsAre("cat", "dog"));
  EXPECT_THAT(row(table, 0), ElementsAre(1, 1));
  EXPECT_THAT(bad(table),
              ElementsAre(MatchesRegex("t.csv:4 missing .*column 'kind' has no value")));
  const DataToCheck named =
      open("a,kind\n1,dog\n2,eel\n", {.targets = {"kind"}, .class_names = {"dog", "cat"}});
  EXPECT_THAT(bad(named), ElementsAre(MatchesRegex("t.csv:3 label .*column 'kind' .*'eel'.*")));
}

// The only column of numbers may be the one to learn.
TEST_F(Table, ChecksATargetWithoutInputs) {
  const DataToCheck table = open("kind,street\n1,north\n2,south\n3,east\n", {.targets = {"kind"}});
  ASSERT_EQ(bad(table).size(), 1u);
  EXPECT_EQ(table.bad[0].record, -1);
  EXPECT_EQ(check(table).records, 3);
}

TEST_F(Table, AColumnOfTextIsToldOnce) {
  const std::string text = "a,street\n1,north\n2,south\n3,4\n";
  const DataToCheck alone = open(text);
  EXPECT_THAT(alone.bad, IsEmpty());
  ASSERT_EQ(alone.warnings.size(), 1u);
  EXPECT_EQ(alone.warnings[0].reason, "text_column");
  const DataToCheck learnt = open(text, {.targets = {"a"}, .ignored = {"street"}});
  EXPECT_THAT(learnt.bad, IsEmpty());
  const DataToCheck wrong = open("a,b,street\n1,2,north\n2,3,south\n", {.targets = {"a"}});
  ASSERT_EQ(wrong.bad.size(), 1u);
  EXPECT_EQ(wrong.bad[0].record, -1);
  EXPECT_EQ(wrong.bad[0].flaw, Flaw::not_a_number);
}

TEST_F(Table, RefusesWhatIsNoTable) {
  EXPECT_THAT(message_of([&] { open("a,b\n", {}); }), HasSubstr("has a header but no record"));
  EXPECT_THAT(message_of([&] { open("", {}); }), HasSubstr("is empty"));
  EXPECT_THAT(message_of([&] { open("a\n1\n", {.targets = {"b"}}); }),
              HasSubstr("has no column 'b'"));
  EXPECT_THAT(message_of([&] { open("a\nx\n", {}); }), HasSubstr("has no column of numbers"));
}

}  // namespace
}  // namespace plimsoll
