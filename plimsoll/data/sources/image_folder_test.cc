#include "plimsoll/data/sources/image_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "plimsoll/base/error.h"
#include "tests/support/golden.h"
#include "tests/support/messages.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::message_of;

class ImageFolderTest : public ::testing::Test {
 protected:
  void add(const std::string& name) { add(name, png_); }
  void add(const std::string& name, const std::string& bytes) {
    fs::create_directories(fs::path(folder_.path(name)).parent_path());
    std::ofstream(folder_.path(name), std::ios::binary) << bytes;
  }

  std::string path() const { return folder_.path().string(); }
  std::vector<std::string> names(const ImageFolderOptions& options = {}) const {
    const SourcePtr source = image_folder(path(), options);
    std::vector<std::string> names;
    for (int64_t i = 0; i < source->size(); ++i)
      names.push_back(source->name(i).substr(path().size() + 1));
    return names;
  }

  TemporaryFolder folder_;
  std::string png_ = testing::read_golden("images", "png_rgb_8bit").bytes("file");
};

TEST_F(ImageFolderTest, OrdersFilesAsKeras) {
  for (const char* name :
       {"dogs/2.PNG", "dogs/10.png", "cats/b.png", "cats/sub/a.png", "cats/sub b/a.png",
        "cats/Z.jpg", "cats/notes.txt", "stray.png", ".hidden/a.png", "cats/a.tiff", "cats/c.GIF",
        "cats/d.bmp", "cats/e.webp"})
    add(name);
  EXPECT_THAT(names(),
              ElementsAre("cats/Z.jpg", "cats/b.png", "cats/c.GIF", "cats/d.bmp", "cats/e.webp",
                          "cats/sub/a.png", "cats/sub b/a.png", "dogs/10.png", "dogs/2.PNG"));
  EXPECT_THAT(image_folder(path())->class_names(), ElementsAre("cats", "dogs"));
  EXPECT_THAT(names({.class_names = {"dogs"}}), ElementsAre("dogs/10.png", "dogs/2.PNG"));
}

TEST_F(ImageFolderTest, ReadsImagesAndTheirClasses) {
  add("a/1.png");
  add("b/1.png");
  const SourcePtr source = image_folder(path(), {.image_size = {5, 7}});
  EXPECT_EQ(source->fields(), (Specs{{DType::float32, {5, 7, 3}}, {DType::int32, {}}}));
  std::vector<float> image(5 * 7 * 3);
  int32_t label = -1;
  std::byte* const into[] = {reinterpret_cast<std::byte*>(image.data()),
                             reinterpret_cast<std::byte*>(&label)};
  source->read(1, into);
  EXPECT_EQ(label, 1);
  const auto golden = testing::read_golden("images", "png_rgb_8bit");
  EXPECT_EQ(std::vector<double>(image.begin(), image.end()), golden.values("rgb"));
}

// Zeros above and below: 7 x 5 pixels become 7 x 5 of 7 x 7.
TEST_F(ImageFolderTest, KeepsProportionsWhereItIsAskedTo) {
  add("1.png");
  const ImageFolderOptions options{.image_size = {7, 7},
                                   .label_mode = LabelMode::none,
                                   .interpolation = ImageInterpolation::nearest,
                                   .pad_to_aspect_ratio = true};
  std::vector<float> image(7 * 7 * 3, -1);
  std::byte* const into[] = {reinterpret_cast<std::byte*>(image.data())};
  image_folder(path(), options)->read(0, into);
  std::vector<double> expected(21, 0);
  const auto golden = testing::read_golden("images", "png_rgb_8bit");
  expected.insert(expected.end(), golden.values("rgb").begin(), golden.values("rgb").end());
  expected.resize(7 * 7 * 3, 0);
  EXPECT_EQ(std::vector<double>(image.begin(), image.end()), expected);
}

// At half the size, an image has nearly the colours of the means of four pixels.
TEST_F(ImageFolderTest, DecodesFasterAtAFraction) {
  add("1.jpg", testing::read_golden("images", "jpeg_whole_blocks").bytes("file"));
  const ImageFolderOptions options{.image_size = {8, 8},
                                   .label_mode = LabelMode::none,
                                   .interpolation = ImageInterpolation::area};
  ImageFolderOptions fast_options = options;
  fast_options.fast_decode = true;
  std::vector<float> exact(8 * 8 * 3), fast(8 * 8 * 3);
  std::byte* into[] = {reinterpret_cast<std::byte*>(exact.data())};
  image_folder(path(), options)->read(0, into);
  into[0] = reinterpret_cast<std::byte*>(fast.data());
  image_folder(path(), fast_options)->read(0, into);
  EXPECT_NE(exact, fast);
  for (size_t i = 0; i < exact.size(); ++i) EXPECT_NEAR(exact[i], fast[i], 12) << i;
}

TEST_F(ImageFolderTest, WritesLabelsInEachMode) {
  add("a/1.png");
  add("b/1.png");
  std::vector<float> image(4), label(2, -1);
  std::byte* const into[] = {reinterpret_cast<std::byte*>(image.data()),
                             reinterpret_cast<std::byte*>(label.data())};
  ImageFolderOptions options{.image_size = {2, 2}, .color_mode = ColorMode::grayscale};
  options.label_mode = LabelMode::categorical;
  image_folder(path(), options)->read(1, into);
  EXPECT_THAT(label, ElementsAre(0, 1));
  options.label_mode = LabelMode::binary;
  const SourcePtr binary = image_folder(path(), options);
  EXPECT_EQ(binary->fields()[1], (Spec{DType::float32, {1}}));
  binary->read(1, into);
  EXPECT_EQ(label[0], 1);
  add("c/1.png");
  EXPECT_THAT(message_of([&] { image_folder(path(), options); }),
              HasSubstr("binary labels need exactly 2 classes, found 3"));
}

TEST_F(ImageFolderTest, TakesLabelsThatAreGiven) {
  add("2.png");
  add("sub/1.png");
  ImageFolderOptions options{.image_size = {2, 2}, .class_names = {"cat"}, .labels = {2, 0}};
  const SourcePtr source = image_folder(path(), options);
  EXPECT_THAT(source->class_names(), ElementsAre("cat", "1", "2"));
  std::vector<float> image(12);
  int32_t label = -1;
  std::byte* const into[] = {reinterpret_cast<std::byte*>(image.data()),
                             reinterpret_cast<std::byte*>(&label)};
  source->read(0, into);
  EXPECT_EQ(label, 2);
  options.labels = {1};
  EXPECT_THAT(message_of([&] { image_folder(path(), options); }),
              HasSubstr("expected a label for each of 2 files, found 1"));
  options.labels = {1, -1};
  EXPECT_THAT(message_of([&] { image_folder(path(), options); }), HasSubstr("found -1"));
}

TEST_F(ImageFolderTest, NeedsNoClassesWithoutLabels) {
  add("2.png");
  add("sub/1.png");
  const ImageFolderOptions options{.label_mode = LabelMode::none};
  EXPECT_THAT(names(options), ElementsAre("2.png", "sub/1.png"));
  EXPECT_EQ(image_folder(path(), options)->fields().size(), 1u);
}

TEST_F(ImageFolderTest, NamesTheFileThatCannotBeRead) {
  add("a/1.png");
  add("b/bad.jpg", "not an image");
  const SourcePtr source = image_folder(path(), {.image_size = {2, 2}});
  std::vector<float> image(12);
  int32_t label = 0;
  std::byte* const into[] = {reinterpret_cast<std::byte*>(image.data()),
                             reinterpret_cast<std::byte*>(&label)};
  source->read(0, into);
  EXPECT_EQ(
      message_of([&] { source->read(1, into); }),
      path() +
          "/b/bad.jpg: expected a JPEG, PNG, WebP, BMP or GIF image; it is another kind of file");
}

TEST_F(ImageFolderTest, SaysWhatTheFolderLacks) {
  EXPECT_THAT(message_of([&] { image_folder(path()); }),
              HasSubstr("expected a folder for each class"));
  fs::create_directory(folder_.path("a"));
  EXPECT_THAT(message_of([&] { image_folder(path()); }), HasSubstr("found none"));
  EXPECT_THAT(message_of([&] { image_folder(path() + "/nowhere"); }),
              HasSubstr("cannot be listed"));
  EXPECT_THAT(message_of([&] {
                image_folder(path(), {.class_names = {"a", "c"}});
              }),
              HasSubstr("expected a folder for the class 'c', found a"));
  add("a/1.png");
  EXPECT_THAT(message_of([&] {
                image_folder(path(), {.crop_to_aspect_ratio = true, .pad_to_aspect_ratio = true});
              }),
              HasSubstr("found both; leave one out"));
  EXPECT_THAT(message_of([] { label_mode("onehot"); }), HasSubstr("found 'onehot'"));
}

}  // namespace
}  // namespace plimsoll
