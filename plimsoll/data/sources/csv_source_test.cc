#include "plimsoll/data/sources/csv_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "plimsoll/base/flaw.h"
#include "plimsoll/tensor/text.h"
#include "tests/support/messages.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::message_of;

class CsvSource : public ::testing::Test {
 protected:
  std::string write(const std::string& text) const {
    std::ofstream(folder_.path("a.csv"), std::ios::binary) << text;
    return folder_.path("a.csv");
  }

  TemporaryFolder folder_;
};

const char* const kHouses =
    "rooms,area,price,street\n"
    "3,70.5,200,Elm\n"
    "\n"
    "4,90,310,Oak\n";

TEST_F(CsvSource, TakesAllOtherColumnsForTheInput) {
  const std::string path = write(kHouses);
  const SourcePtr source = csv_source(path, {.target = "price", .ignored = {"street"}});
  EXPECT_EQ(source->fields(), (Specs{{DType::float32, {2}}, {DType::int32, {}}}));
  float x[2];
  int32_t y = 0;
  std::byte* const into[] = {reinterpret_cast<std::byte*>(x), reinterpret_cast<std::byte*>(&y)};
  source->read(1, into);
  EXPECT_THAT(x, ElementsAre(4, 90));
  EXPECT_EQ(y, 310);
  EXPECT_EQ(source->name(1), path + ":4");
  EXPECT_TRUE(source->class_names().empty());
}

TEST_F(CsvSource, MakesClassesOfText) {
  const std::string path = write(kHouses);
  const CsvSourceOptions options{.target = "street", .inputs = {{"rooms"}, {"area", "price"}}};
  const SourcePtr source = csv_source(path, options);
  EXPECT_EQ(source->fields(),
            (Specs{{DType::float32, {1}}, {DType::float32, {2}}, {DType::int32, {}}}));
  EXPECT_THAT(source->class_names(), ElementsAre("Elm", "Oak"));
}

// From memory, and parsed again and again.
TEST_F(CsvSource, KeepsTextInSlotsOfTheLongestCell) {
  const std::string path = write("name,id,y\nÄnne,100000001,1\n,-3,2\n\"a, \"\"b\"\"\nc\",7,3\n");
  for (const int64_t in_memory_bytes : {int64_t{1} << 20, int64_t{0}}) {
    const SourcePtr source =
        csv_source(path, {.target = "y",
                          .inputs = {{"name"}, {"id"}, {"id", "name"}},
                          .input_dtypes = {DType::string, DType::int64, DType::string},
                          .in_memory_bytes = in_memory_bytes});
    EXPECT_EQ(source->fields(), (Specs{{DType::string, {1, 2}},
                                       {DType::int64, {1}},
                                       {DType::string, {2, 3}},
                                       {DType::int32, {}}}));
    std::vector<std::string> found;
    for (int64_t record = 0; record < 3; ++record) {
      std::byte name[8], both[24];
      int64_t id = 0;
      int32_t y = 0;
      std::byte* const into[] = {name, reinterpret_cast<std::byte*>(&id), both,
                                 reinterpret_cast<std::byte*>(&y)};
      source->read(record, into);
      found.insert(found.end(),
                   {std::string(text_in(name, 8)), std::to_string(id),
                    std::string(text_in(both, 12)), std::string(text_in(both + 12, 12))});
    }
    EXPECT_THAT(found, ElementsAre("Änne", "100000001", "100000001", "Änne", "", "-3", "-3", "",
                                   "a, \"b\"\nc", "7", "7", "a, \"b\"\nc"));
    EXPECT_EQ(source->element_name(2, 4), "column 'name'");
  }
}

TEST_F(CsvSource, KeepsTheClassesItIsGiven) {
  const std::string path = write("x,y\n1,dog\n2,cat\n");
  const CsvSourceOptions options{.target = "y", .class_names = {"dog", "cat", "cow"}};
  const SourcePtr source = csv_source(path, options);
  float x = 0;
  int32_t y = 0;
  std::byte* const into[] = {reinterpret_cast<std::byte*>(&x), reinterpret_cast<std::byte*>(&y)};
  source->read(0, into);
  EXPECT_EQ(y, 0);
  EXPECT_THAT(subset(source, 1, 2)->class_names(), ElementsAre("dog", "cat", "cow"));
  EXPECT_THAT(message_of([&] { csv_source(path, {.target = "y", .class_names = {"dog"}}); }),
              HasSubstr("a.csv:3:2: column 'y' expected a class among dog; found 'cat'"));
}

TEST_F(CsvSource, LeavesOutAnIndexWithoutAName) {
  std::vector<std::string> said;
  const auto announce = [&](const Finding& finding) { said.push_back(finding.what); };
  const SourcePtr source =
      csv_source(write(",x,y\n0,5,1\n1,6,0\n"), {.target = "y", .announce = announce});
  EXPECT_EQ(source->fields()[0].shape, (Shape{1}));
  ASSERT_EQ(said.size(), 2u);
  EXPECT_THAT(said[0], HasSubstr("without a name"));
  EXPECT_EQ(said[1], "2 records take 16 B of memory");
}

std::vector<float> numbers_of(const Source& source) {
  std::vector<float> numbers;
  float x[2];
  int32_t y = 0;
  std::byte* const into[] = {reinterpret_cast<std::byte*>(x), reinterpret_cast<std::byte*>(&y)};
  for (int64_t i = 0; i < source.size(); ++i) {
    source.read(source.size() - 1 - i, into);
    numbers.insert(numbers.end(), {x[0], x[1], static_cast<float>(y)});
  }
  return numbers;
}

// Quoted line breaks, empty lines, both line ends, gaps; many times the distance of the index.
std::string long_table() {
  std::string text =
      "\xef\xbb\xbf"
      "a;kind;b\n";
  for (int i = 0; i < 5000; ++i) {
    text += std::to_string(i) + ";\"" + (i % 7 == 0 ? "re\nd" : "blue") + "\";";
    text += (i % 11 == 0 ? "" : std::to_string(i * 0.25)) + (i % 3 == 0 ? "\r\n" : "\n");
    if (i % 13 == 0) text += "\n";
  }
  return text;
}

TEST_F(CsvSource, ReadsTheSameFromTheFileAsFromMemory) {
  const std::string path = write(long_table());
  CsvSourceOptions options{.target = "kind", .missing = -3};
  const SourcePtr loaded = csv_source(path, options);
  std::string said;
  options.announce = [&](const Finding& finding) { said = finding.what; };
  options.in_memory_bytes = 0;
  const SourcePtr rows = csv_source(path, options);
  EXPECT_THAT(said, HasSubstr("5000 records are read from the file again and again; 58.6 KiB of"));
  EXPECT_TRUE(loaded->is_in_memory());
  EXPECT_FALSE(rows->is_in_memory());
  EXPECT_EQ(rows->fields(), loaded->fields());
  EXPECT_EQ(numbers_of(*rows), numbers_of(*loaded));
  EXPECT_EQ(numbers_of(*rows).size(), 15000u);
  EXPECT_THAT(rows->class_names(), ElementsAre("blue", "re\nd"));
  for (int64_t record : {0, 1, 13, 14, 2500, 4999})
    EXPECT_EQ(rows->name(record), loaded->name(record));
}

TEST_F(CsvSource, ReadsRunsOfRecordsFromTheFile) {
  const CsvSourceOptions options{.inputs = {{"a"}}, .ignored = {"kind", "b"}, .in_memory_bytes = 0};
  const SourcePtr rows = csv_source(write(long_table()), options);
  std::vector<float> numbers(1000);
  std::byte* into[] = {reinterpret_cast<std::byte*>(numbers.data())};
  rows->read_run(3210, 1000, into);
  for (size_t i = 0; i < numbers.size(); ++i) EXPECT_EQ(numbers[i], static_cast<float>(3210 + i));
  EXPECT_EQ(into[0], reinterpret_cast<std::byte*>(numbers.data() + 1000));
}

TEST_F(CsvSource, NamesTheSamePlaceWhenARecordIsReadFromTheFile) {
  std::string text = long_table();
  const std::string path = write(text + "5000;blue;oops\n5001;blue;\n5002;green;1\n");
  CsvSourceOptions options{.target = "kind", .class_names = {"re\nd", "blue"}};
  const std::string at_once = message_of([&] { csv_source(path, options); });
  EXPECT_THAT(at_once, HasSubstr("a.csv:2:3: column 'b' has no value"));
  options.in_memory_bytes = 0;
  const SourcePtr rows = csv_source(path, options);
  float x[2];
  int32_t y = 0;
  std::byte* const into[] = {reinterpret_cast<std::byte*>(x), reinterpret_cast<std::byte*>(&y)};
  EXPECT_EQ(message_of([&] { rows->read(0, into); }), at_once);
  EXPECT_EQ(message_of([&] { rows->read(1, into); }), "no error");
  const auto complains = [&](int64_t record, const std::string& what) {
    EXPECT_THAT(message_of([&] { rows->read(record, into); }),
                ::testing::StartsWith(rows->name(record) + what));
  };
  complains(5000, ":3: column 'b' expected a number, found 'oops'");
  complains(5001, ":3: column 'b' has no value");
  complains(5002, ":2: column 'kind' expected a class among re\nd, blue; found 'green'");
}

TEST_F(CsvSource, SaysWhatIsWrong) {
  const std::string path = write(kHouses);
  EXPECT_THAT(
      message_of([&] { csv_source(path, {.target = "cost"}); }),
      HasSubstr("expected one column 'cost', found 0 among the columns rooms, area, price"));
  EXPECT_THAT(
      message_of([&] { csv_source(path, {.target = "price"}); }),
      HasSubstr("a.csv: column 'street' holds text, expected numbers (make numbers of it with "
                "--encode auto, or leave it out with --ignore 'street')"));
  EXPECT_THAT(message_of([&] { csv_source(write("x,y\n"), {.target = "y"}); }),
              HasSubstr("has a header but no record"));
  EXPECT_THAT(message_of([&] { csv_source(write("y\n1\n"), {.target = "y"}); }),
              HasSubstr("has no column for the input"));
}

TEST_F(CsvSource, KeepsBadRecordsInMemoryAndInTheFile) {
  const std::string path = write("a,b,y\n1,2,3\n4,x,5\n6,7\n,8,9\n10,11,\n12,13,14\n");
  for (const int64_t bytes : {int64_t{1} << 20, int64_t{0}}) {
    const SourcePtr source =
        csv_source(path, {.target = "y", .keeps_bad_records = true, .in_memory_bytes = bytes});
    EXPECT_EQ(source->size(), 6);
    float x[12];
    int32_t y[6];
    const auto flaw = [&](int64_t record) -> std::string {
      std::byte* const into[] = {reinterpret_cast<std::byte*>(x), reinterpret_cast<std::byte*>(y)};
      try {
        source->read(record, into);
        return "none";
      } catch (const FlawedRecord& error) {
        return std::string(to_string(error.flaw()));
      }
    };
    std::vector<std::string> flaws;
    for (int64_t record = 0; record < 6; ++record) flaws.push_back(flaw(record));
    EXPECT_THAT(flaws, ElementsAre("none", "not_a_number", "shape", "missing", "missing", "none"));
    EXPECT_EQ(x[0], 12);
    EXPECT_EQ(y[0], 14);
    std::byte* run[] = {reinterpret_cast<std::byte*>(x), reinterpret_cast<std::byte*>(y)};
    EXPECT_THAT(message_of([&] { source->read_run(0, 6, run); }),
                HasSubstr("a.csv:3:2: column 'b' expected a number, found 'x'"));
  }
}

TEST_F(CsvSource, TakesIntegersAsTheNumbersOfNamedClasses) {
  const std::string path = write("x,y\n1,0\n2,1\n");
  const SourcePtr numbers = csv_source(path, {.target = "y", .class_names = {"cat", "dog"}});
  EXPECT_EQ(numbers->fields()[1].dtype, DType::int32);
  EXPECT_TRUE(numbers->class_names().empty());
  const SourcePtr names = csv_source(path, {.target = "y", .class_names = {"1", "0"}});
  EXPECT_THAT(names->class_names(), ElementsAre("1", "0"));
}

}  // namespace
}  // namespace plimsoll
