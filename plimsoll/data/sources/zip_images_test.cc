#include "plimsoll/data/sources/zip_images.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "plimsoll/base/error.h"
#include "plimsoll/data/sources/image_source.h"
#include "plimsoll/formats/archives/zip_writer.h"
#include "tests/support/deflated_zip.h"
#include "tests/support/messages.h"
#include "tests/support/png_writer.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

using testing::deflated_zip;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::message_of;
using testing::png_file;

class ZipImagesTest : public ::testing::Test {
 protected:
  // With the same image under each name.
  std::string zip(const std::vector<std::string>& names, bool deflates = true) const {
    const std::string path = folder_.path("photos.zip");
    std::vector<std::pair<std::string, std::string>> entries;
    ZipWriter writer(path);
    for (const std::string& name : names) {
      entries.emplace_back(name, png_);
      writer.add(name, png_);
    }
    if (deflates)
      std::ofstream(path, std::ios::binary) << deflated_zip(entries);
    else
      writer.finish();
    return path;
  }
  std::vector<std::string> names(const Source& source, const std::string& path) const {
    std::vector<std::string> names;
    for (int64_t i = 0; i < source.size(); ++i)
      names.push_back(source.name(i).substr(path.size() + 1));
    return names;
  }
  static std::vector<float> pixels(const Source& source, int64_t record, int32_t& label) {
    std::vector<float> image(static_cast<size_t>(source.fields()[0].shape.elements()));
    std::byte* const into[] = {reinterpret_cast<std::byte*>(image.data()),
                               reinterpret_cast<std::byte*>(&label)};
    source.read(record, into);
    return image;
  }

  TemporaryFolder folder_;
  std::string png_ = png_file(20, 10, std::vector<uint8_t>(200, 77));
};

TEST_F(ZipImagesTest, AreReadAsTheirFolderWouldBe) {
  const std::vector<std::string> files = {"dogs/2.PNG",     "dogs/10.png",      "cats/b.png",
                                          "cats/sub/a.png", "cats/sub b/a.png", "cats/notes.txt"};
  for (const std::string& file : files) {
    const std::filesystem::path path = folder_.path("photos/" + file);
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << png_;
  }
  const ImageFolderOptions options{.image_size = {4, 5}};
  const SourcePtr of_folder = image_folder(folder_.path("photos"), options);
  for (const bool deflates : {true, false}) {
    const std::string path = zip(files, deflates);
    const SourcePtr of_zip = zip_images(path, options);
    EXPECT_EQ(names(*of_zip, path), names(*of_folder, folder_.path("photos")));
    EXPECT_THAT(of_zip->class_names(), ElementsAre("cats", "dogs"));
    EXPECT_EQ(of_zip->fields(), of_folder->fields());
    for (int64_t i = 0; i < of_zip->size(); ++i) {
      int32_t found = -1, expected = -2;
      EXPECT_EQ(pixels(*of_zip, i, found), pixels(*of_folder, i, expected));
      EXPECT_EQ(found, expected);
    }
  }
}

TEST_F(ZipImagesTest, OuterFoldersAndWhatMacOsAddsDoNotCount) {
  const std::string path = zip({"data/photos/b/1.png", "data/photos/a/1.png", "data/README",
                                "__MACOSX/data/photos/a/._1.png"});
  const SourcePtr source = zip_images(path);
  EXPECT_THAT(source->class_names(), ElementsAre("a", "b"));
  EXPECT_THAT(names(*source, path), ElementsAre("data/photos/a/1.png", "data/photos/b/1.png"));
  EXPECT_THAT(zip_images(path, {.class_names = {"b"}})->size(), 1);
  EXPECT_TRUE(has_images_only(path));
  EXPECT_FALSE(has_images_only(zip({"x.npy", "a.png"})));
}

TEST_F(ZipImagesTest, TheBytesOfAnImageAreThoseThatWerePacked) {
  const SourcePtr source = zip_images(zip({"a/1.png"}));
  std::string bytes;
  with_image_file(*source, 0, [&](std::span<const std::byte> file) {
    bytes.assign(reinterpret_cast<const char*>(file.data()), file.size());
  });
  EXPECT_EQ(bytes, png_);
}

TEST_F(ZipImagesTest, ADamagedEntryIsABadRecordThatIsNamed) {
  const std::string path = zip({"a/1.png"}, false);
  std::string bytes = bytes_of(path);
  bytes[bytes.find("IDAT") + 6] ^= 1;
  std::ofstream(path, std::ios::binary) << bytes;
  int32_t label = 0;
  EXPECT_THAT(message_of([&] { pixels(*zip_images(path), 0, label); }),
              HasSubstr("entry 'a/1.png' of the zip archive is refused: its CRC-32 is wrong"));
}

TEST_F(ZipImagesTest, ItsFilesAreKnownByTheirChecksums) {
  const std::string before = zip_images(zip({"a/1.png", "a/2.png"}))->files_hash();
  EXPECT_EQ(zip_images(zip({"a/1.png", "a/2.png"}))->files_hash(), before);
  png_ = png_file(20, 10, std::vector<uint8_t>(200, 78));
  const std::string now = zip_images(zip({"a/1.png", "a/2.png"}))->files_hash();
  EXPECT_EQ(now.size(), before.size());
  EXPECT_NE(now, before);
}

TEST_F(ZipImagesTest, SaysWhatIsMissing) {
  EXPECT_THAT(message_of([&] {
                zip_images(zip({"1.png", "2.png"}));
              }),
              HasSubstr("expected a folder for each class in the archive, found none"));
  EXPECT_EQ(zip_images(zip({"1.png"}), {.label_mode = LabelMode::none})->size(), 1);
  EXPECT_THAT(message_of([&] { zip_images(zip({"a/1.png"}), {.class_names = {"c"}}); }),
              HasSubstr("expected a folder for the class 'c', found a"));
  EXPECT_THAT(message_of([&] { zip_images(zip({"a/1.txt"})); }),
              HasSubstr("expected files that end with .bmp"));
  EXPECT_THAT(message_of([&] { zip_images(zip({"a/1.png"}), {.limits = {.file_bytes = 10}}); }),
              "no error");
}

}  // namespace
}  // namespace plimsoll
