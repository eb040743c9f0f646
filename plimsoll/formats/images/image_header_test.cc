#include "plimsoll/formats/images/image_header.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/formats/images/image.h"
#include "tests/support/damage.h"
#include "tests/support/golden.h"
#include "tests/support/messages.h"

namespace plimsoll {
namespace {

using testing::GoldenCase;
using ::testing::HasSubstr;
using testing::message_of;

ImageHeader read(const std::string& bytes) {
  return read_image_header(std::as_bytes(std::span(bytes)), "t.img");
}

std::string jpeg() {
  return testing::read_golden("images", "jpeg_rgb").bytes("file");
}

std::string file_of(const std::string& name) {
  return testing::read_golden("image_files", name).bytes("file");
}

TEST(ImageHeader, HasTheSizeThatDecodingGives) {
  int count = 0;
  for (const char* family : {"images", "image_files"})
    for (const GoldenCase& golden : testing::read_goldens(family)) {
      SCOPED_TRACE(golden.name());
      const ImageHeader header = read(golden.bytes("file"));
      const Shape shape = golden.tensor("rgb").shape();
      EXPECT_EQ((Shape{header.height, header.width, 3}), shape);
      EXPECT_EQ(header.kind, kind_by_name("x." + golden.name().substr(0, golden.name().find('_'))));
      ++count;
    }
  EXPECT_GT(count, 40);
}

TEST(ImageHeader, CountsChannels) {
  const auto channels = [](const char* family, const char* name) {
    return read(testing::read_golden(family, name).bytes("file")).channels;
  };
  EXPECT_EQ(channels("images", "jpeg_gray"), 1);
  EXPECT_EQ(channels("images", "jpeg_rgb"), 3);
  EXPECT_EQ(channels("images", "png_gray_alpha"), 2);
  EXPECT_EQ(channels("images", "png_palette"), 3);
  EXPECT_EQ(channels("images", "png_rgba_8bit"), 4);
  EXPECT_EQ(channels("image_files", "bmp_32"), 4);
  EXPECT_EQ(channels("image_files", "bmp_24_os2"), 3);
  EXPECT_EQ(channels("image_files", "webp_lossy"), 3);
  EXPECT_EQ(channels("image_files", "webp_lossy_alpha"), 4);
  EXPECT_EQ(channels("image_files", "webp_lossless_alpha"), 4);
  EXPECT_EQ(channels("image_files", "gif_2_colors"), 3);
}

TEST(ImageHeader, KnowsTheKindByBytesAndByName) {
  const auto kind = [](const std::string& bytes) { return read(bytes).kind; };
  EXPECT_EQ(kind(jpeg()), ImageKind::jpeg);
  EXPECT_EQ(kind(file_of("bmp_1")), ImageKind::bmp);
  EXPECT_EQ(kind(file_of("gif_runs")), ImageKind::gif);
  EXPECT_EQ(kind(file_of("webp_lossy")), ImageKind::webp);
  EXPECT_EQ(kind_by_name("a.b/c.JPG"), ImageKind::jpeg);
  EXPECT_EQ(kind_by_name("c.jpeg"), ImageKind::jpeg);
  EXPECT_EQ(kind_by_name(".png"), ImageKind::png);
  EXPECT_EQ(kind_by_name("x.WebP"), ImageKind::webp);
  EXPECT_EQ(kind_by_name("x.bmp"), ImageKind::bmp);
  EXPECT_EQ(kind_by_name("x.gif"), ImageKind::gif);
  EXPECT_EQ(kind_by_name("x.png.txt"), std::nullopt);
  EXPECT_EQ(kind_by_name("png"), std::nullopt);
  EXPECT_EQ(kind_by_name("x.jpgx"), std::nullopt);
}

// Profiles of a JPEG, each as large as can be, push the frame beyond the first 100 KiB.
TEST(ImageHeader, ReadsAsMuchOfAJpegAsItTakes) {
  std::string bytes = jpeg();
  const std::string profile = std::string("\xff\xe2\xff\xff", 4) + std::string(65533, 'p');
  bytes.insert(2, profile + profile);
  const auto start = std::as_bytes(std::span(bytes)).first(64 << 10);
  EXPECT_EQ(find_image_header(start, "t.jpg"), std::nullopt);
  EXPECT_EQ(message_of([&] { read_image_header(start, "t.jpg"); }),
            "t.jpg: the JPEG image is damaged: it ends in its header");
  const ByteSourcePtr file = memory_source("t.jpg", to_bytes(bytes));
  const ImageHeader header = read_image_header(*file);
  EXPECT_EQ(header.height, 13);
  EXPECT_EQ(header.width, 17);
}

TEST(ImageHeader, SaysWhatItIsNot) {
  EXPECT_EQ(message_of([] { read(""); }),
            "t.img: expected a JPEG, PNG, WebP, BMP or GIF image; the file is empty");
  EXPECT_THAT(message_of([] { read("<html>"); }), HasSubstr("it is a page of text"));
  EXPECT_THAT(message_of([] { read(std::string(40, '\0')); }), HasSubstr("nothing but zeros"));
  EXPECT_THAT(message_of([] { read("\xff\xd8\xff\xd9"); }), HasSubstr("it has no frame"));
}

TEST(ImageHeader, SurvivesDamage) {
  expect_harmless_damage(jpeg(), read);
  expect_harmless_damage(testing::read_golden("images", "png_palette").bytes("file"), read);
  for (const char* name : {"bmp_24", "bmp_24_os2", "gif_runs", "webp_lossy", "webp_lossless_alpha"})
    expect_harmless_damage(file_of(name), read);
}

}  // namespace
}  // namespace plimsoll
