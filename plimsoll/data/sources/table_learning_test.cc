#include "plimsoll/data/sources/table_learning.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "plimsoll/base/error.h"
#include "plimsoll/data/sources/csv_cells.h"
#include "plimsoll/data/sources/csv_source.h"
#include "tests/support/messages.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::message_of;

class TableLearning : public ::testing::Test {
 protected:
  std::string write(const std::string& text, const char* name = "a.csv") const {
    std::ofstream(folder_.path(name), std::ios::binary) << text;
    return folder_.path(name);
  }

  TemporaryFolder folder_;
};

const char* const kPeople =
    "sex,age,since,wage\n"
    "f,31,31.12.2023,\"1.100,5\"\n"
    "m,,01.02.2024,\"990,0\"\n"
    "f,47,15.07.2024,\"2.000,25\"\n";

TableEncodingPtr learn(const std::string& path, const TableLearningOptions& options) {
  return learn_csv_encoding(path, options);
}

TableEncodingPtr learn(const std::string& path) {
  return learn(path, {.inputs = {"sex", "age", "since"}, .targets = {"wage"}});
}

std::vector<float> inputs_of(const Source& source, int64_t record) {
  std::vector<float> x(static_cast<size_t>(source.fields()[0].shape.elements()));
  float wage = 0;
  std::byte* const into[] = {reinterpret_cast<std::byte*>(x.data()),
                             reinterpret_cast<std::byte*>(&wage)};
  source.read(record, into);
  x.push_back(wage);
  return x;
}

TEST_F(TableLearning, GivesTheNumbersOfEveryColumn) {
  const std::string path = write(kPeople);
  const SourcePtr source = csv_source(path, {.target = "wage", .encoding = learn(path)});
  EXPECT_EQ(source->fields(), (Specs{{DType::float32, {9}}, {DType::float32, {}}}));
  const std::vector<float> second = inputs_of(*source, 1);
  EXPECT_THAT(std::span(second).first(4), ElementsAre(0, 1, 0, 1)) << "m; a gap is the mean";
  EXPECT_EQ(second.back(), 990) << "targets are not scaled";
  EXPECT_EQ(source->element_name(0, 0), "column 'sex=f'");
  EXPECT_EQ(source->element_name(0, 3), "column 'age missing'");
  EXPECT_EQ(source->element_name(0, 4), "column 'since days'");
}

TEST_F(TableLearning, IsTheSameFromMemoryAndFromTheFile) {
  std::string text = "sex,age,since,wage\n";
  for (int i = 0; i < 2000; ++i)
    text += fmt::format("{},{},{:02}.{:02}.2024,\"{},5\"\n", i % 3 == 0 ? "f" : "m",
                        i % 7 == 0 ? "" : std::to_string(i % 90), 1 + i % 28, 1 + i % 12, i);
  const std::string path = write(text);
  CsvSourceOptions options{.target = "wage", .encoding = learn(path)};
  const SourcePtr loaded = csv_source(path, options);
  options.in_memory_bytes = 0;
  const SourcePtr parsed = csv_source(path, options);
  EXPECT_TRUE(loaded->is_in_memory());
  EXPECT_FALSE(parsed->is_in_memory());
  for (int64_t record = 0; record < 2000; record += 7)
    EXPECT_EQ(inputs_of(*loaded, record), inputs_of(*parsed, record)) << record;
}

TEST_F(TableLearning, LearnsFromTheChosenRecordsAlone) {
  const std::string path = write("sex,age\nf,1\nm,3\nx,1000\n");
  const TableEncodingPtr encoding =
      learn(path, {.inputs = {"sex", "age"},
                   .records = [](const SourcePtr& all) { return subset(all, 0, 2); }});
  EXPECT_THAT(encoding->number_names(std::vector<std::string>{"sex", "age"}),
              ElementsAre("sex=f", "sex=m", "age"));
  const SourcePtr source = csv_source(path, {.encoding = encoding});
  float x[3];
  std::byte* const into[] = {reinterpret_cast<std::byte*>(x)};
  source->read(1, into);
  EXPECT_THAT(x, ElementsAre(0, 1, 1)) << "the mean is 2 and the deviation 1";
}

TEST_F(TableLearning, NamesABadCell) {
  std::string text = "age\n";
  for (int i = 0; i < 30; ++i) text += "1\n2\n";
  const std::string path = write(text + "12x\n");
  const TableEncodingPtr encoding = learn(path, {.inputs = {"age"}});
  EXPECT_EQ(message_of([&] { csv_source(path, {.encoding = encoding}); }),
            path + ":62:1: column 'age' expected a number such as 1234.5, found '12x'");
  const SourcePtr kept = csv_source(path, {.encoding = encoding, .keeps_bad_records = true});
  float x = 0;
  std::byte* const into[] = {reinterpret_cast<std::byte*>(&x)};
  kept->read(59, into);
  EXPECT_THAT(message_of([&] { kept->read(60, into); }), HasSubstr("found '12x'"));
}

TEST_F(TableLearning, SaysWhatIsNewInAnotherTable) {
  const TableEncodingPtr encoding = learn(write("sex,age\nf,1\nm,3\n"), {.inputs = {"sex", "age"}});
  const std::string other = write("age,sex\n,x\n1,y\n2,x\n", "b.csv");
  std::vector<std::string> said;
  CsvSourceOptions options{.inputs = {{"sex", "age"}}, .encoding = encoding};
  options.announce = [&](const Finding& finding) {
    if (finding.severity == Finding::Severity::warning) said.push_back(to_string(finding));
  };
  csv_source(other, options);
  ASSERT_EQ(said.size(), 2u);
  EXPECT_THAT(said[0],
              HasSubstr("column 'sex' has 3 texts that training did not have, as 'x', 'y'"));
  EXPECT_THAT(said[1], HasSubstr("column 'age' has a gap, of which training had none"));
  options.in_memory_bytes = 0;  // the same from the file
  csv_source(other, options);
  ASSERT_EQ(said.size(), 4u);
  EXPECT_EQ(said[2], said[0]);
  EXPECT_EQ(said[3], said[1]);
}

// The first thousand records are numbers, most of all are words.
TEST_F(TableLearning, AColumnIsWhatAllRecordsSayNotTheFirst) {
  std::string text = "a,b\n";
  for (int i = 0; i < 9000; ++i)
    text +=
        fmt::format("{},{}\n", i < 1500 ? std::to_string(i % 7) : (i % 2 == 0 ? "x" : "y"), i % 10);
  const TableEncodingPtr encoding = learn(write(text), {.inputs = {"a", "b"}});
  EXPECT_THAT(encoding->number_names(std::vector<std::string>{"a", "b"}),
              ElementsAre("a=0", "a=1", "a=2", "a=3", "a=4", "a=5", "a=6", "a=x", "a=y", "b"));
  EXPECT_THAT(encoding->to_json(), HasSubstr("4.5")) << "the mean of b is of all records";
}

// Bytes that this process has read with system calls.
int64_t bytes_read() {
  std::ifstream file("/proc/self/io");
  std::string word;
  int64_t bytes = 0;
  file >> word >> bytes;
  return bytes;
}

TEST_F(TableLearning, ReadsTheFileThreeTimesInAll) {
  std::string text = "sex,age,since,wage\n";
  for (int i = 0; i < 60000; ++i)
    text += fmt::format("{},{},{:02}.{:02}.2024,{}\n", i % 3 == 0 ? "f" : "m", i % 90, 1 + i % 28,
                        1 + i % 12, i % 100);
  const std::string path = write(text);
  const int64_t before = bytes_read();
  if (before == 0) GTEST_SKIP() << "the system does not count what is read";
  const CsvCells cells(path, {});
  const TableEncodingPtr encoding =
      learn_table(cells, {.inputs = {"sex", "age", "since"}, .targets = {"wage"}});
  CsvSourceOptions options{.target = "wage", .encoding = encoding, .summary = cells.summary()};
  options.announce = [](const Finding&) {};
  const SourcePtr source = csv_source(path, options);
  EXPECT_EQ(source->size(), 60000);
  const double times =
      static_cast<double>(bytes_read() - before) / static_cast<double>(text.size());
  EXPECT_LT(times, 3.5);
  EXPECT_GT(times, 2.5) << "the bytes are not counted";
}

TEST_F(TableLearning, DecodesWhatItHasEncoded) {
  const std::string path = write(kPeople);
  const TableEncodingPtr encoding = learn(path);
  const SourcePtr source = csv_source(path, {.target = "wage", .encoding = encoding});
  const std::vector<float> numbers = inputs_of(*source, 2);
  EXPECT_EQ(encoding->decode("sex", std::span(numbers).first(2)), "f");
  EXPECT_EQ(encoding->decode("age", std::span(numbers).subspan(2, 2)), "47");
  EXPECT_EQ(encoding->decode("since", std::span(numbers).subspan(4, 5)), "15.07.2024");
  const std::vector<float> gap = inputs_of(*source, 1);
  EXPECT_EQ(encoding->decode("age", std::span(gap).subspan(2, 2)), "");
  EXPECT_THROW(encoding->decode("age", numbers), InvalidArgument);
}

}  // namespace
}  // namespace plimsoll
