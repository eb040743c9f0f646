#include "plimsoll/data/images/augment_image.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <thread>

#include "plimsoll/data/sources/generator.h"
#include "tests/support/messages.h"

namespace plimsoll {
namespace {

using ::testing::HasSubstr;
using testing::message_of;

constexpr ImageShape kShape{6, 8, 3};
constexpr int64_t kRecords = 200;

// Pixels that show the record and their place; the label is the record.
SourcePtr images() {
  const Specs fields = {{DType::float32, {kShape.height, kShape.width, kShape.channels}},
                        {DType::int32, {}}};
  return from_generator(fields, kRecords, [](int64_t record, const RecordWriter& into) {
    for (int64_t i = 0; i < kShape.elements(); ++i)
      into.field<float>(0)[static_cast<size_t>(i)] = static_cast<float>((record * 7 + i) % 256);
    into.field<int32_t>(1)[0] = static_cast<int32_t>(record);
  });
}

const ImageAugmentation kAll{.rotation_range = 30,
                             .width_shift_range = 0.2,
                             .height_shift_range = 2,
                             .shear_range = 15,
                             .zoom_range = {0.8, 1.2},
                             .horizontal_flip = true,
                             .vertical_flip = true,
                             .brightness_range = {{0.5, 1.5}},
                             .channel_shift_range = 20,
                             .rescale = 1.0f / 255};

struct Record {
  bool operator==(const Record&) const = default;

  std::vector<float> image;
  int32_t label = -1;
};

Record read(const Source& source, RecordId id) {
  Record record{std::vector<float>(static_cast<size_t>(kShape.elements())), -1};
  std::byte* const into[] = {reinterpret_cast<std::byte*>(record.image.data()),
                             reinterpret_cast<std::byte*>(&record.label)};
  source.read(id, into);
  return record;
}

TEST(AugmentImage, IsTheSameForTheSameSeedPassAndRecord) {
  const SourcePtr one = augmented(images(), kAll, 5), two = augmented(images(), kAll, 5);
  std::vector<Record> forward, backward(kRecords);
  for (int64_t i = 0; i < kRecords; ++i) forward.push_back(read(*one, {i, 3}));
  const auto read_part = [&](int64_t first) {
    for (int64_t i = kRecords - 1 - first; i >= 0; i -= 2)
      backward[static_cast<size_t>(i)] = read(*two, {i, 3});
  };
  std::thread other(read_part, 1);
  read_part(0);
  other.join();
  EXPECT_EQ(forward, backward);
}

TEST(AugmentImage, DiffersByRecordPassAndSeed) {
  std::set<std::vector<float>> seen;
  const SourcePtr same = augmented(subset(images(), 0, 1), kAll, 1);
  for (int64_t epoch = 0; epoch < 20; ++epoch) seen.insert(read(*same, {0, epoch}).image);
  for (int64_t seed = 2; seed < 22; ++seed)
    seen.insert(read(*augmented(subset(images(), 0, 1), kAll, seed), 0).image);
  EXPECT_EQ(seen.size(), 40u);
}

TEST(AugmentImage, LeavesOtherFieldsAlone) {
  const SourcePtr source = augmented(images(), kAll, 1);
  EXPECT_EQ(source->fields(), images()->fields());
  EXPECT_EQ(source->size(), kRecords);
  EXPECT_EQ(read(*source, 17).label, 17);
}

TEST(AugmentImage, DoesNothingWithoutOptions) {
  const SourcePtr source = augmented(images(), {}, 1);
  EXPECT_EQ(read(*source, 3), read(*images(), 3));
}

struct Range {
  void add(double value) {
    least = std::min(least, value);
    most = std::max(most, value);
    sum += value;
  }
  double least = 1e9, most = -1e9, sum = 0;
};

// A thousand draws come near the ends of a range, stay within, and are even about its middle.
void expect_range(const Range& range, double low, double high) {
  const double width = high - low;
  EXPECT_GE(range.least, low);
  EXPECT_LE(range.most, high);
  EXPECT_LT(range.least, low + 0.02 * width);
  EXPECT_GT(range.most, high - 0.02 * width);
  EXPECT_NEAR(range.sum / 1000, (low + high) / 2, 0.04 * width);
}

TEST(AugmentImage, DrawsFromEachRange) {
  Range rotation, columns, rows, shear, column_zoom, row_zoom, shift, brightness;
  int flips = 0, both = 0;
  for (int64_t i = 0; i < 1000; ++i) {
    const ImageTransform drawn = draw_transform(kAll, kShape, 9, {i, i % 3});
    rotation.add(drawn.rotation);
    columns.add(drawn.column_shift);
    rows.add(drawn.row_shift);
    shear.add(drawn.shear);
    column_zoom.add(drawn.column_zoom);
    row_zoom.add(drawn.row_zoom);
    shift.add(*drawn.channel_shift);
    brightness.add(*drawn.brightness);
    flips += drawn.flip_horizontal;
    both += drawn.flip_horizontal && drawn.flip_vertical;
  }
  expect_range(rotation, -30, 30);
  expect_range(columns, -0.2 * 8, 0.2 * 8);  // a part of the width
  expect_range(rows, -2, 2);                 // pixels
  expect_range(shear, -15, 15);
  expect_range(column_zoom, 0.8, 1.2);
  expect_range(row_zoom, 0.8, 1.2);
  expect_range(shift, -20, 20);
  expect_range(brightness, 0.5, 1.5);
  EXPECT_NEAR(flips, 500, 60);
  EXPECT_NEAR(both, 250, 60);
}

TEST(AugmentImage, DrawsTheSameWhateverElseIsAskedFor) {
  const ImageTransform all = draw_transform(kAll, kShape, 4, {11, 2});
  const ImageTransform one = draw_transform({.zoom_range = {0.8, 1.2}}, kShape, 4, {11, 2});
  EXPECT_EQ(one.column_zoom, all.column_zoom);
  EXPECT_EQ(one.row_zoom, all.row_zoom);
  EXPECT_EQ(one.rotation, 0);
  EXPECT_EQ(one.brightness, std::nullopt);
}

TEST(AugmentImage, NamesTheOptionThatCannotBe) {
  const auto refusal = [](const ImageAugmentation& options) {
    return message_of([&] { augmented(images(), options, 1); });
  };
  EXPECT_EQ(refusal({.rotation_range = -3}),
            "augmented: rotation_range: expected a number from 0 to 360, found -3");
  EXPECT_THAT(refusal({.width_shift_range = 9}), HasSubstr("width_shift_range: expected a number"));
  EXPECT_THAT(refusal({.height_shift_range = NAN}), HasSubstr("height_shift_range"));
  EXPECT_THAT(refusal({.shear_range = 90}), HasSubstr("shear_range"));
  EXPECT_THAT(refusal({.zoom_range = {0, 1}}), HasSubstr("zoom_range"));
  EXPECT_THAT(refusal({.zoom_range = {1.2, 0.8}}), HasSubstr("in this order, found {1.2, 0.8}"));
  EXPECT_THAT(refusal({.brightness_range = {{-1, 1}}}), HasSubstr("brightness_range"));
  EXPECT_THAT(refusal({.channel_shift_range = INFINITY}), HasSubstr("channel_shift_range"));
  EXPECT_THAT(refusal({.cval = NAN}), HasSubstr("cval"));
  EXPECT_THAT(refusal({.rescale = 0}), HasSubstr("rescale"));
  EXPECT_THAT(refusal({.featurewise_mean = {1, 2}}),
              HasSubstr("featurewise_mean: expected 1 number or 3, one for each channel, found 2"));
  EXPECT_THAT(refusal({.featurewise_std = {-1}}), HasSubstr("featurewise_std"));
  const SourcePtr table =
      from_generator({{DType::float32, {4}}}, 1, [](int64_t, const RecordWriter&) {});
  EXPECT_THAT(message_of([&] { augmented(table, {}, 1); }),
              HasSubstr("expected field 0 to be images"));
}

}  // namespace
}  // namespace plimsoll
