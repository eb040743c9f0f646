#include "plimsoll/formats/tables/csv_table.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/tables/csv_selection.h"
#include "tests/support/damage.h"
#include "tests/support/messages.h"

namespace plimsoll {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::message_of;
using Type = CsvColumn::Type;

ByteSourcePtr file(const std::string& text) {
  return memory_source("t.csv", to_bytes(text));
}

const char* const kFlowers =
    "length,count,kind,owner\n"
    "1.5,3,rose,Ann\n"
    "2,-4,tulip,\n"
    "\n"
    "0.25,7,rose,\"Bo\nb\"\n"
    "4,1,aster,Cid\n";

std::vector<float> floats_of(const HostTensor& tensor) {
  const auto* values = reinterpret_cast<const float*>(tensor.storage->data());
  return {values, values + tensor.spec.shape.elements()};
}

std::vector<int32_t> integers_of(const HostTensor& tensor) {
  const auto* values = reinterpret_cast<const int32_t*>(tensor.storage->data());
  return {values, values + tensor.spec.shape.elements()};
}

TEST(CsvTable, KnowsTheTypesOfItsColumns) {
  const CsvSummary summary = scan_csv(file(kFlowers));
  EXPECT_EQ(summary.records, 4);
  ASSERT_EQ(summary.columns.size(), 4u);
  EXPECT_EQ(summary.columns[0].type(), Type::real);
  EXPECT_EQ(summary.columns[1].type(), Type::integer);
  EXPECT_EQ(summary.columns[1].smallest, -4);
  EXPECT_EQ(summary.columns[1].largest, 7);
  EXPECT_EQ(summary.columns[2].type(), Type::text);
  EXPECT_EQ(summary.columns[3].name, "owner");
}

TEST(CsvTable, KnowsTheLineOfEveryRecord) {
  const CsvSummary summary = scan_csv(file(kFlowers));
  EXPECT_EQ(summary.line_of(0), 2);
  EXPECT_EQ(summary.line_of(1), 3);
  EXPECT_EQ(summary.line_of(2), 5);
  EXPECT_EQ(summary.line_of(3), 7);
}

TEST(CsvTable, LoadsColumnsAsTensors) {
  const CsvSummary summary = scan_csv(file(kFlowers));
  const std::vector<CsvSelection> selections = {
      {.columns = {1, 0}},
      {.columns = {1}, .dtype = DType::int32, .is_scalar = true},
      {.columns = {2},
       .dtype = DType::int32,
       .is_scalar = true,
       .classes = {"aster", "rose", "tulip"}}};
  const auto tensors = load_csv(file(kFlowers), summary, selections);
  EXPECT_EQ(tensors[0].spec, (Spec{DType::float32, {4, 2}}));
  EXPECT_THAT(floats_of(tensors[0]), ElementsAre(3, 1.5f, -4, 2, 7, 0.25f, 1, 4));
  EXPECT_EQ(tensors[1].spec, (Spec{DType::int32, {4}}));
  EXPECT_THAT(integers_of(tensors[1]), ElementsAre(3, -4, 7, 1));
  EXPECT_THAT(integers_of(tensors[2]), ElementsAre(1, 2, 1, 0));
}

TEST(CsvTable, ClassesAreSorted) {
  std::vector<std::string> found;
  for (const CsvClass& one : csv_classes(file(kFlowers), 2))
    found.push_back(fmt::format("{} {} {}", one.name, one.records, one.line));
  EXPECT_THAT(found, ElementsAre("aster 1 7", "rose 2 2", "tulip 1 3"));
  EXPECT_THAT(message_of([] { csv_classes(file(kFlowers), 2, {}, 2); }),
              HasSubstr("more than 2 different texts"));
}

TEST(CsvTable, NamesThePlaceOfABadField) {
  const auto complaint = [](const std::string& text, const CsvSelection& selection) {
    return message_of([&] { load_csv(file(text), scan_csv(file(text)), std::array{selection}); });
  };
  EXPECT_EQ(complaint("a,b\n1,2\n3,x\n", {.columns = {1}}),
            "t.csv:3:2: column 'b' expected a number, found 'x'");
  EXPECT_THAT(complaint("a,b\n1,\n", {.columns = {1}}),
              HasSubstr("t.csv:2:2: column 'b' has no value"));
  EXPECT_THAT(complaint("a\ncat\ncow\n",
                        {.columns = {0}, .dtype = DType::int32, .classes = {"cat", "dog"}}),
              HasSubstr("t.csv:3:1: column 'a' expected a class among cat, dog; found 'cow'"));
  EXPECT_THAT(complaint("a\n3000000000\n", {.columns = {0}, .dtype = DType::int32}),
              HasSubstr("expected an integer of type int32, found '3000000000'"));
}

TEST(CsvTable, FillsInMissingNumbers) {
  const std::string text = "a,b\n1,\nNA,4\n";
  const auto tensors = load_csv(file(text), scan_csv(file(text)),
                                std::array{CsvSelection{.columns = {0, 1}, .missing = -1}});
  EXPECT_THAT(floats_of(tensors[0]), ElementsAre(1, -1, -1, 4));
}

TEST(CsvTable, RefusesRecordsOfAnotherLength) {
  EXPECT_EQ(message_of([] { scan_csv(file("a,b\n1,2\n3\n")); }),
            "t.csv:3:2: expected 2 fields as in the header, found 1");
  EXPECT_EQ(message_of([] { scan_csv(file("a,b\n1,2,3\n")); }),
            "t.csv:2:3: expected 2 fields as in the header, found 3");
  EXPECT_THAT(message_of([] { scan_csv(file("")); }), HasSubstr("t.csv: is empty"));
}

TEST(CsvTable, AFewTextsAmongNumbersAreBadFields) {
  const CsvSummary summary = scan_csv(file("a,b\n1,cat\n12x,2\n3.5,dog\n"));
  EXPECT_EQ(summary.columns[0].type(), Type::real);
  EXPECT_EQ(summary.columns[0].texts, 1);
  EXPECT_EQ(summary.columns[1].type(), Type::text);
}

TEST(CsvTable, ReadsATableWithoutAHeader) {
  const std::string text = "1,2\n3,4\n";
  const CsvOptions options{.has_header = false};
  const CsvSummary summary = scan_csv(file(text), options);
  EXPECT_EQ(summary.records, 2);
  EXPECT_EQ(summary.columns[1].name, "c1");
  EXPECT_EQ(summary.line_of(0), 1);
  EXPECT_EQ(csv_classes(file(text), 1, options).size(), 2u);
  const auto tensors =
      load_csv(file(text), summary, std::array{CsvSelection{.columns = {0, 1}}}, options);
  EXPECT_THAT(floats_of(tensors[0]), ElementsAre(1, 2, 3, 4));
}

TEST(CsvTable, KnowsAHeaderFromARecord) {
  const auto header = [](const std::string& text) { return header_of(scan_csv(file(text))); };
  EXPECT_EQ(header("a,b\n1,2\n"), CsvHeader::names);
  EXPECT_EQ(header("a,2020\n1,2\n"), CsvHeader::names);
  EXPECT_EQ(header("name,kind\nx,y\n"), CsvHeader::names);
  EXPECT_EQ(header("5.1,3\n4.9,3\n"), CsvHeader::record);
  EXPECT_EQ(header("5,3\n4,3\n"), CsvHeader::record);
  EXPECT_EQ(header("5.1,3,setosa\n4.9,3,setosa\n"), CsvHeader::record);
  EXPECT_EQ(header("5,setosa\n4,virginica\n5,setosa\n"), CsvHeader::record);
  EXPECT_EQ(header("country,2020,2021\nPeru,3,4\nChile,5,6\n"), CsvHeader::numbers);
  EXPECT_EQ(header("0,1,2\n5,6,7\n"), CsvHeader::names);
  EXPECT_EQ(header(",0,1\n0,5,6\n"), CsvHeader::names);
  EXPECT_EQ(header("red,oak\nblue,elm\nred,ash\n"), CsvHeader::texts);
  EXPECT_EQ(header("red,size\nblue,1\nred,2\n"), CsvHeader::names);
}

TEST(CsvTable, KeepsBadRecordsForLater) {
  const std::string text = "a,b\n1,2\n3\n4,x\n5,\n6,7\n";
  const CsvOptions options{.keeps_bad = true};
  const CsvSummary summary = scan_csv(file(text), options);
  EXPECT_EQ(summary.records, 5);
  std::vector<int64_t> bad;
  const auto tensors =
      load_csv(file(text), summary, std::array{CsvSelection{.columns = {0, 1}}}, options, &bad);
  EXPECT_THAT(bad, ElementsAre(1, 2, 3));
  EXPECT_EQ(floats_of(tensors[0])[9], 7);
}

TEST(CsvTable, FindsColumnsByName) {
  const CsvSummary summary = scan_csv(file("a,b,b\n"));
  EXPECT_EQ(summary.find("a", "t.csv"), 0);
  EXPECT_EQ(message_of([&] { summary.find("b", "t.csv"); }),
            "t.csv: expected one column 'b', found 2 among the columns a, b, b");
}

TEST(CsvTable, NamesOfAnotherEncodingAreWrittenOut) {
  const std::string text =
      "a,sp\xe9"
      "cies\n1,caf\xe9\n2,bar\n";
  const CsvSummary summary = scan_csv(file(text));
  EXPECT_EQ(summary.columns[1].name,
            "sp\\xe9"
            "cies");
  std::vector<std::string> names;
  for (const CsvClass& one : csv_classes(file(text), 1)) names.push_back(one.name);
  EXPECT_THAT(names, ElementsAre("bar", "caf\\xe9"));
  const CsvSelection classes{
      .columns = {1}, .dtype = DType::int32, .is_scalar = true, .classes = names};
  const auto tensors = load_csv(file(text), summary, std::array{classes});
  EXPECT_THAT(integers_of(tensors[0]), ElementsAre(1, 0));
}

TEST(CsvTable, NumbersThatNoDoubleHoldsAreTheNearestThatOneDoes) {
  const std::string text = "a\n1e400\n-1e400\n1e-400\n";
  const auto tensors =
      load_csv(file(text), scan_csv(file(text)), std::array{CsvSelection{.columns = {0}}});
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  EXPECT_THAT(floats_of(tensors[0]), ElementsAre(kInfinity, -kInfinity, 0));
}

TEST(CsvTable, SurvivesDamage) {
  expect_harmless_damage(kFlowers, [](const std::string& bytes) {
    const CsvSummary summary = scan_csv(file(bytes));
    if (summary.columns.size() > 1)
      load_csv(file(bytes), summary, std::array{CsvSelection{.columns = {0, 1}}});
  });
}

}  // namespace
}  // namespace plimsoll
