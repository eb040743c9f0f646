#include "plimsoll/data/csv_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "plimsoll/base/error.h"
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

TEST_F(CsvSource, SaysWhatIsWrong) {
  const std::string path = write(kHouses);
  EXPECT_THAT(
      message_of([&] { csv_source(path, {.target = "cost"}); }),
      HasSubstr("expected one column 'cost', found 0 among the columns rooms, area, price"));
  EXPECT_THAT(message_of([&] { csv_source(path, {.target = "price"}); }),
              HasSubstr("a.csv:2:4: column 'street' expected a number, found 'Elm'"));
  EXPECT_THAT(message_of([&] { csv_source(write("x,y\n"), {.target = "y"}); }),
              HasSubstr("has a header but no record"));
  EXPECT_THAT(message_of([&] { csv_source(write("y\n1\n"), {.target = "y"}); }),
              HasSubstr("has no column for the input"));
}

}  // namespace
}  // namespace plimsoll
