#include "plimsoll/data/sources/masked_images.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "plimsoll/base/flaw.h"
#include "plimsoll/data/images/augment_image.h"
#include "tests/support/messages.h"
#include "tests/support/png_writer.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::message_of;
using testing::png_file;
using testing::PngColours;

class MaskedImagesTest : public ::testing::Test {
 protected:
  void add(const std::string& name, const std::string& bytes) const {
    std::filesystem::create_directories(std::filesystem::path(folder_.path(name)).parent_path());
    std::ofstream(folder_.path(name), std::ios::binary) << bytes;
  }
  void add_image(const std::string& name) const {
    add("images/" + name, png_file(2, 2, std::vector<uint8_t>(12, 9), PngColours::rgb));
  }
  std::string path() const { return folder_.path().string(); }
  static MaskedImagesOptions sized(int64_t height, int64_t width) {
    MaskedImagesOptions options;
    options.images.image_size = options.masks.resize.size = {height, width};
    return options;
  }
  template <class T>
  static std::vector<T> mask_of(const Source& source, int64_t record) {
    std::vector<float> image(static_cast<size_t>(source.fields()[0].shape.elements()));
    std::vector<T> mask(static_cast<size_t>(source.fields()[1].shape.elements()));
    std::byte* const into[] = {reinterpret_cast<std::byte*>(image.data()),
                               reinterpret_cast<std::byte*>(mask.data())};
    source.read(record, into);
    EXPECT_THAT(image, Each(9));
    return mask;
  }

  TemporaryFolder folder_;
};

TEST_F(MaskedImagesTest, PairsImagesAndMasksByTheirNames) {
  add_image("a/1.jpg");  // formats are known by their bytes
  add_image("b.png");
  add("masks/a/1.png", png_file(2, 2, {0, 1, 2, 3}));
  add("masks/b_mask.gif", png_file(2, 2, {4, 4, 4, 4}));
  add("masks/c.png", png_file(2, 2, {5, 5, 5, 5}));
  std::vector<std::string> notes;
  MaskedImagesOptions options = sized(2, 2);
  options.announce = [&](const Finding& note) { notes.push_back(note.what); };
  EXPECT_TRUE(has_masks(path()));
  const SourcePtr source = masked_images(path(), options);
  EXPECT_EQ(source->size(), 2);
  EXPECT_EQ(source->fields(), (Specs{{DType::float32, {2, 2, 3}}, {DType::int32, {2, 2}}}));
  EXPECT_EQ(source->name(0), path() + "/images/b.png");
  EXPECT_THAT(mask_of<int32_t>(*source, 0), Each(4));
  EXPECT_THAT(mask_of<int32_t>(*source, 1), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(notes, ElementsAre("1 mask(s) belong to no image"));
}

TEST_F(MaskedImagesTest, NumbersAreNeverMixedWhenAMaskIsResized) {
  add_image("1.png");
  add("masks/1.png", png_file(4, 2, {0, 9, 0, 9, 9, 0, 9, 0}));
  for (const int64_t side : {1, 3, 5, 8})
    for (const int32_t number : mask_of<int32_t>(*masked_images(path(), sized(side, side)), 0))
      EXPECT_TRUE(number == 0 || number == 9) << number;
}

TEST_F(MaskedImagesTest, APaletteGivesItsNumbersNotItsColours) {
  add_image("1.png");
  add("masks/1.png", png_file(2, 2, {0, 1, 2, 20}, PngColours::palette));
  EXPECT_THAT(mask_of<int32_t>(*masked_images(path(), sized(2, 2)), 0), ElementsAre(0, 1, 2, 20));
}

TEST_F(MaskedImagesTest, BinaryMasksAre0And1Or0And255) {
  add_image("1.png");
  MaskedImagesOptions options = sized(2, 2);
  options.masks.form = MaskSlotOptions::Form::binary;
  add("masks/1.png", png_file(2, 2, {0, 255, 0, 255}));
  EXPECT_EQ(masked_images(path(), options)->fields()[1], (Spec{DType::float32, {2, 2, 1}}));
  EXPECT_THAT(mask_of<float>(*masked_images(path(), options), 0), ElementsAre(0, 1, 0, 1));
  add("masks/1.png", png_file(2, 2, {0, 1, 1, 0}));
  EXPECT_THAT(mask_of<float>(*masked_images(path(), options), 0), ElementsAre(0, 1, 1, 0));
  add("masks/1.png", png_file(2, 2, {0, 1, 7, 0}));
  EXPECT_THAT(message_of([&] { mask_of<float>(*masked_images(path(), options), 0); }),
              HasSubstr("masks/1.png: a pixel of the mask is 7, expected 0 and 1, or 0 and 255"));
}

TEST_F(MaskedImagesTest, VectorsHaveA1AtTheClass) {
  add_image("1.png");
  add("masks/1.png", png_file(1, 2, {2, 0}));
  MaskedImagesOptions options = sized(2, 1);
  options.images.image_size = {2, 2};
  options.masks.form = MaskSlotOptions::Form::vectors;
  options.masks.classes = 3;
  EXPECT_THAT(mask_of<float>(*masked_images(path(), options), 0), ElementsAre(0, 0, 1, 1, 0, 0));
  options.masks.classes = 2;
  EXPECT_THAT(message_of([&] { mask_of<float>(*masked_images(path(), options), 0); }),
              HasSubstr("a pixel of the mask is 2, expected a class of 0 to 1"));
}

TEST_F(MaskedImagesTest, WhatIsNoMaskIsABadRecord) {
  add_image("1.png");
  add_image("2.png");
  add("masks/1.png",
      png_file(2, 2, std::vector<uint8_t>{1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3}, PngColours::rgb));
  const SourcePtr source = masked_images(path(), sized(2, 2));
  EXPECT_THAT(message_of([&] { mask_of<int32_t>(*source, 0); }),
              HasSubstr("masks/1.png: the PNG image is damaged: it has colours"));
  EXPECT_THAT(message_of([&] { mask_of<int32_t>(*source, 1); }),
              HasSubstr("images/2.png: has no mask; expected " + path() + "/masks/2.png"));
}

TEST_F(MaskedImagesTest, AreRefusedIfNoneBelongsToAnImage) {
  add_image("1.png");
  add("masks/2.png", png_file(2, 2, {0, 0, 0, 0}));
  EXPECT_THAT(message_of([&] { masked_images(path(), sized(2, 2)); }),
              HasSubstr("no image has a mask; expected masks/1.png for images/1.png"));
}

TEST_F(MaskedImagesTest, AreNotAugmentedForTheMaskWouldStay) {
  add_image("1.png");
  add("masks/1.png", png_file(2, 2, {0, 1, 2, 3}));
  EXPECT_THAT(message_of([&] {
                augmented(masked_images(path(), sized(2, 2)), {.horizontal_flip = true}, 0);
              }),
              HasSubstr("has a mask or a second image"));
}

}  // namespace
}  // namespace plimsoll
