#include "plimsoll/formats/image.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
// After <cstdio>: libjpeg's header needs FILE.
#include <jpeglib.h>

#include "plimsoll/base/error.h"
#include "tests/support/damage.h"
#include "tests/support/golden.h"
#include "tests/support/messages.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

using testing::GoldenCase;
using ::testing::HasSubstr;
using testing::message_of;

std::string golden_bytes(const std::string& name) {
  return testing::read_golden("images", name).bytes("file");
}

Image decode(const std::string& bytes, ColorMode mode = ColorMode::rgb,
             const ImageLimits& limits = {}) {
  return decode_image(std::as_bytes(std::span(bytes)), "t.img", mode, limits);
}

TEST(Image, AgreesWithTensorFlow) {
  int count = 0;
  for (const GoldenCase& golden : testing::read_goldens("images")) {
    if (!golden.has_tensor("file")) continue;
    for (const char* mode : {"grayscale", "rgb", "rgba"}) {
      if (!golden.has_tensor(mode)) continue;
      SCOPED_TRACE(golden.name() + " as " + mode);
      const Image image = decode(golden.bytes("file"), color_mode(mode));
      EXPECT_EQ((Shape{image.height, image.width, image.channels}), golden.tensor(mode).shape());
      const auto& expected = golden.values(mode);
      ASSERT_EQ(image.pixels.size(), expected.size());
      for (size_t i = 0; i < expected.size(); ++i)
        ASSERT_EQ(image.pixels[i], expected[i]) << "sample " << i;
      ++count;
    }
  }
  EXPECT_GT(count, 50);
}

TEST(Image, GivesAJpegAFullAlpha) {
  const Image image = decode(golden_bytes("jpeg_rgb"), ColorMode::rgba);
  ASSERT_EQ(image.channels, 4);
  for (size_t i = 3; i < image.pixels.size(); i += 4) ASSERT_EQ(image.pixels[i], 255);
}

// Four inks over the whole of a 16 x 16 image, without the marker of Adobe.
std::string cmyk_jpeg(std::array<uint8_t, 4> inks) {
  jpeg_compress_struct info = {};
  jpeg_error_mgr errors = {};
  info.err = jpeg_std_error(&errors);
  jpeg_create_compress(&info);
  unsigned char* bytes = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&info, &bytes, &size);
  info.image_width = info.image_height = 16;
  info.input_components = 4;
  info.in_color_space = JCS_CMYK;
  jpeg_set_defaults(&info);
  info.write_Adobe_marker = FALSE;
  jpeg_set_quality(&info, 100, TRUE);
  jpeg_start_compress(&info, TRUE);
  std::vector<uint8_t> row;
  for (int i = 0; i < 16; ++i) row.insert(row.end(), inks.begin(), inks.end());
  JSAMPROW rows[] = {row.data()};
  while (info.next_scanline < 16) jpeg_write_scanlines(&info, rows, 1);
  jpeg_finish_compress(&info);
  jpeg_destroy_compress(&info);
  std::string text(reinterpret_cast<char*>(bytes), size);
  free(bytes);
  return text;
}

TEST(Image, TurnsInksIntoLight) {
  const Image image = decode(cmyk_jpeg({0, 100, 255, 51}));
  EXPECT_NEAR(image.pixels[0], 255 * 204 / 255, 2);
  EXPECT_NEAR(image.pixels[1], 155 * 204 / 255, 2);
  EXPECT_NEAR(image.pixels[2], 0, 2);
  EXPECT_NEAR(decode(cmyk_jpeg({0, 0, 0, 51}), ColorMode::grayscale).pixels[0], 204, 2);
}

TEST(Image, KnowsTheFormatByItsBytes) {
  const TemporaryFolder folder;
  const std::string bytes = golden_bytes("png_rgb_8bit");
  std::ofstream(folder.path("named.jpg"), std::ios::binary) << bytes;
  EXPECT_EQ(read_image(folder.path("named.jpg"), ColorMode::rgb).pixels, decode(bytes).pixels);
  EXPECT_EQ(message_of([] { decode("GIF89a…"); }),
            "t.img: expected a JPEG or PNG image; it is a GIF");
  EXPECT_EQ(message_of([] { decode(""); }),
            "t.img: expected a JPEG or PNG image; the file is empty");
  EXPECT_THAT(message_of([&] { read_image(folder.path("none.png"), ColorMode::rgb); }),
              HasSubstr("No such file"));
}

TEST(Image, ChecksSizesBeforeItAllocates) {
  std::string bytes = golden_bytes("png_rgb_8bit");
  EXPECT_THAT(message_of([&] { decode(bytes, ColorMode::rgb, {.pixels = 34}); }),
              HasSubstr("7 x 5 pixels, at most 34 are decoded"));
  std::string jpeg = golden_bytes("jpeg_rgb");
  const size_t frame = jpeg.find("\xff\xc0");
  ASSERT_NE(frame, jpeg.npos);
  jpeg.replace(frame + 5, 4, "\xff\xdc\xff\xdc");
  EXPECT_THAT(message_of([&] { decode(jpeg); }), HasSubstr("65500 x 65500 pixels"));
  const TemporaryFolder folder;
  std::ofstream(folder.path("a.png"), std::ios::binary) << bytes;
  EXPECT_THAT(
      message_of([&] { read_image(folder.path("a.png"), ColorMode::rgb, {.file_bytes = 9}); }),
      HasSubstr("at most 9 B are read as an image"));
}

// Grey where the data ends is what libjpeg gives; a person wants to know.
TEST(Image, RefusesAJpegThatIsCutOff) {
  for (const char* name : {"jpeg_rgb", "jpeg_progressive"}) {
    const std::string bytes = golden_bytes(name);
    EXPECT_THAT(message_of([&] { decode(bytes.substr(0, bytes.size() - 40)); }),
                HasSubstr("t.img: the JPEG image is damaged: "))
        << name;
  }
}

TEST(Image, RefusesAPngThatIsCutOffOrChanged) {
  std::string bytes = golden_bytes("png_rgb_8bit");
  EXPECT_EQ(message_of([&] { decode(bytes.substr(0, bytes.size() - 20)); }),
            "t.img: the PNG image is damaged: it ends too early");
  bytes[60] = static_cast<char>(bytes[60] ^ 1);
  EXPECT_THAT(message_of([&] { decode(bytes); }), HasSubstr("the PNG image is damaged: "));
}

TEST(Image, SurvivesDamage) {
  for (const char* name :
       {"jpeg_rgb", "jpeg_progressive", "png_palette_transparent", "png_interlaced"})
    expect_harmless_damage(golden_bytes(name), [](const std::string& bytes) {
      decode(bytes, ColorMode::rgba, {.pixels = 1 << 16});
      decode(bytes, ColorMode::grayscale, {.pixels = 1 << 16});
    });
}

}  // namespace
}  // namespace plimsoll
