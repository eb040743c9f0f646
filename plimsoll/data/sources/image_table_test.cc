#include "plimsoll/data/sources/image_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "plimsoll/base/flaw.h"
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

class ImageTableTest : public ::testing::Test {
 protected:
  std::string table(const std::string& text) const {
    std::ofstream(folder_.path("labels.csv")) << text;
    return folder_.path("labels.csv");
  }
  void add_image(const std::string& name, uint8_t grey) const {
    const std::filesystem::path path = folder_.path(name);
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << png_file(2, 2, std::vector<uint8_t>(4, grey));
  }

  TemporaryFolder folder_;
};

TEST_F(ImageTableTest, ReadsEachImageWithTheTargetOfItsRow) {
  add_image("train/a.png", 10);
  add_image("train/b.png", 20);
  const std::string path =
      table("id,file,kind,price\n1,train/b.png,dog,2.5\n2,train/a.png,cat,1.5\n");
  ASSERT_EQ(image_column(path), "file");
  const ImageFolderOptions images{.image_size = {3, 3}, .color_mode = ColorMode::grayscale};
  const SourcePtr source = image_table(path, "file", images, {.targets = {{"kind"}, {"price"}}});
  EXPECT_EQ(source->size(), 2);
  EXPECT_EQ(source->fields(),
            (Specs{{DType::float32, {3, 3, 1}}, {DType::int32, {}}, {DType::float32, {}}}));
  EXPECT_EQ(source->name(0), folder_.path("train/b.png"));
  EXPECT_THAT(source->class_names(), ElementsAre("cat", "dog"));
  std::vector<float> pixels(9);
  int32_t kind = -1;
  float price = 0;
  std::byte* const into[] = {reinterpret_cast<std::byte*>(pixels.data()),
                             reinterpret_cast<std::byte*>(&kind),
                             reinterpret_cast<std::byte*>(&price)};
  source->read(0, into);
  EXPECT_THAT(pixels, Each(20));
  EXPECT_EQ(kind, 1);
  EXPECT_EQ(price, 2.5f);
  EXPECT_EQ(image_table(path, "file", images, {})->fields().size(), 1u);
}

TEST_F(ImageTableTest, AnImageThatIsNotThereIsABadRecord) {
  add_image("a.png", 10);
  const SourcePtr source =
      image_table(table("file,kind\na.png,1\nnone.png,2\n"), "file", {}, {.target = "kind"});
  std::vector<float> pixels(256 * 256 * 3);
  int32_t kind = 0;
  std::byte* const into[] = {reinterpret_cast<std::byte*>(pixels.data()),
                             reinterpret_cast<std::byte*>(&kind)};
  source->read(0, into);
  EXPECT_EQ(kind, 1);
  EXPECT_THAT(message_of([&] { source->read(1, into); }),
              HasSubstr(folder_.path("none.png") + ": cannot be opened"));
}

// Its first record would be lost.
TEST_F(ImageTableTest, RefusesATableWithoutALineOfNames) {
  add_image("a.png", 10);
  add_image("b.png", 20);
  const std::string path = table("a.png,1\nb.png,2\n");
  EXPECT_THAT(
      message_of([&] { image_table(path, *image_column(path), {}, {}); }),
      HasSubstr("the first line names an image, 'a.png', expected the names of the columns"));
}

TEST_F(ImageTableTest, OnlyAColumnOfFilesThatExistIsOne) {
  EXPECT_EQ(image_column(table("file,kind\na.png,1\n")), std::nullopt);
  EXPECT_EQ(image_column(table("")), std::nullopt);
  EXPECT_EQ(image_column(table("a,b\n1,2\n")), std::nullopt);
  add_image("a.png", 1);
  EXPECT_EQ(image_column(table("file,kind\nnone.png,1\na.png,2\n")), "file");
}

}  // namespace
}  // namespace plimsoll
