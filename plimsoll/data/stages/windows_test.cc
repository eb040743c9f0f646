#include "plimsoll/data/stages/windows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "plimsoll/base/error.h"
#include "plimsoll/data/sources/generator.h"
#include "plimsoll/data/stages/split.h"
#include "tests/support/messages.h"

namespace plimsoll {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::message_of;

// Row i has the inputs i and 10 i, and the target 100 i.
SourcePtr series(int64_t rows, bool has_targets = true) {
  Specs fields = {{DType::float32, {2}}};
  if (has_targets) fields.push_back({DType::float32, {}});
  return from_generator(fields, rows, [=](int64_t row, const RecordWriter& into) {
    into.field<float>(0)[0] = static_cast<float>(row);
    into.field<float>(0)[1] = static_cast<float>(10 * row);
    if (has_targets) into.field<float>(1)[0] = static_cast<float>(100 * row);
  });
}

struct WindowRecord {
  std::vector<float> inputs;
  float target = 0;
};

WindowRecord read_window(const Source& source, int64_t record) {
  WindowRecord read{std::vector<float>(static_cast<size_t>(source.fields()[0].shape.elements()))};
  std::vector<std::byte*> into = {reinterpret_cast<std::byte*>(read.inputs.data())};
  if (source.fields().size() > 1) into.push_back(reinterpret_cast<std::byte*>(&read.target));
  source.read(record, into);
  return read;
}

TEST(Windows, AreConsecutiveRowsAndALaterTarget) {
  const SourcePtr all = windows(series(8), {.window = 3, .horizon = 2}, "t");
  EXPECT_EQ(all->size(), 4);
  EXPECT_EQ(all->fields(), (Specs{{DType::float32, {3, 2}}, {DType::float32, {}}}));
  const WindowRecord first = read_window(*all, 0), last = read_window(*all, 3);
  EXPECT_THAT(first.inputs, ElementsAre(0, 0, 1, 10, 2, 20));
  EXPECT_EQ(first.target, 400);
  EXPECT_THAT(last.inputs, ElementsAre(3, 30, 4, 40, 5, 50));
  EXPECT_EQ(last.target, 700);
  EXPECT_EQ(all->name(0), "4");
  EXPECT_EQ(all->element_name(0, 3), "");
}

// timeseries_dataset_from_array(range(10), range(10)[3:], 3, sequence_stride=2) has 4 windows.
TEST(Windows, BeginAStrideApart) {
  const SourcePtr all = windows(series(10), {.window = 3, .stride = 2}, "t");
  EXPECT_EQ(all->size(), 4);
  EXPECT_THAT(read_window(*all, 3).inputs, ElementsAre(6, 60, 7, 70, 8, 80));
  EXPECT_EQ(read_window(*all, 3).target, 900);
}

TEST(Windows, WithoutTargetsReachAfterTheLastRow) {
  const SourcePtr all = windows(series(5, false), {.window = 3, .horizon = 2}, "t");
  EXPECT_EQ(all->size(), 3);
  EXPECT_EQ(all->name(0), "4");
  EXPECT_EQ(all->name(1), "4+1");
  EXPECT_EQ(all->name(2), "4+2");
}

TEST(Windows, ReadAsWellInRuns) {
  const SourcePtr all = windows(series(8), {.window = 3}, "t");
  std::vector<float> inputs(12), targets(2);
  std::byte* into[] = {reinterpret_cast<std::byte*>(inputs.data()),
                       reinterpret_cast<std::byte*>(targets.data())};
  all->read_run(2, 2, into);
  EXPECT_THAT(targets, ElementsAre(500, 600));
  EXPECT_EQ(inputs[6], 3);
}

TEST(Windows, AreSplitSoThatNoRowIsInBothParts) {
  for (const int64_t stride : {1, 2, 3, 7}) {
    const SourcePtr all = windows(series(60), {.window = 4, .horizon = 2, .stride = stride}, "t");
    const SplitSources parts = split(all, {.validation_split = 0.5});
    const WindowRecord first = read_window(*parts.validation, 0);
    const WindowRecord last = read_window(*parts.train, parts.train->size() - 1);
    EXPECT_GT(first.inputs[0], last.target / 100) << stride;
    // And no window is left out that could be there.
    EXPECT_LE(first.inputs[0] - static_cast<float>(stride), last.target / 100) << stride;
  }
  const SourcePtr all = windows(series(60), {.window = 4}, "t");
  EXPECT_THAT(message_of([&] { split(all, {.seed = 1}); }), HasSubstr("share rows"));
  EXPECT_THAT(message_of([&] { split(all, {.by = SplitOptions::By::hash}); }),
              HasSubstr("share rows"));
  EXPECT_THAT(message_of([&] { split(all, {.validation_split = 0.05}); }),
              HasSubstr("leaves one part empty"));
}

TEST(Windows, RefuseASeriesThatIsTooShort) {
  EXPECT_THAT(
      message_of([] { windows(series(4), {.window = 3, .horizon = 2}, "t.csv"); }),
      HasSubstr("t.csv: has 4 rows, a window of 3 rows and a target 2 row(s) after it needs "
                "5 or more"));
  EXPECT_THAT(message_of([] { windows(series(4), {.window = 0}, "t.csv"); }),
              HasSubstr("are 1 or more, found 0, 1 and 1"));
  EXPECT_THAT(message_of([] {
                windows(series(4), {.window = int64_t{1} << 62, .horizon = int64_t{1} << 62}, "t");
              }),
              HasSubstr("too long"));
}

}  // namespace
}  // namespace plimsoll
