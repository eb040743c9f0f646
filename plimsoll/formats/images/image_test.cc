#include "plimsoll/formats/images/image.h"

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
  const bool is_old = name.starts_with("jpeg") || name.starts_with("png");
  return testing::read_golden(is_old ? "images" : "image_files", name).bytes("file");
}

Image decode(const std::string& bytes, ColorMode mode = ColorMode::rgb,
             const ImageLimits& limits = {}) {
  return decode_image(std::as_bytes(std::span(bytes)), "t.img", mode, limits);
}

TEST(Image, AgreesWithTensorFlow) {
  int count = 0;
  std::vector<GoldenCase> goldens = testing::read_goldens("images");
  for (GoldenCase& golden : testing::read_goldens("image_files"))
    goldens.push_back(std::move(golden));
  for (const GoldenCase& golden : goldens) {
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
  EXPECT_GT(count, 110);
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
  EXPECT_EQ(message_of([] { decode("GIF88a…"); }),
            "t.img: expected a JPEG, PNG, WebP, BMP or GIF image; it is another kind of file");
  EXPECT_EQ(message_of([] { decode(""); }),
            "t.img: expected a JPEG, PNG, WebP, BMP or GIF image; the file is empty");
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

TEST(Image, RefusesOthersThatAreCutOff) {
  for (const char* name : {"bmp_24", "bmp_4", "bmp_16_masks", "bmp_runs_8", "bmp_runs_4",
                           "gif_2_colors", "gif_interlaced", "webp_lossy", "webp_lossless"}) {
    const std::string bytes = golden_bytes(name);
    EXPECT_THAT(message_of([&] { decode(bytes.substr(0, bytes.size() - 6)); }),
                HasSubstr("it ends too early"))
        << name;
  }
}

TEST(Image, ReadsABmpWhoseLastRowIsNotFilledUp) {
  const std::string bytes = golden_bytes("bmp_24");  // rows of 21 bytes, filled up to 24
  EXPECT_EQ(decode(bytes.substr(0, bytes.size() - 3)).pixels, decode(bytes).pixels);
  EXPECT_THAT(message_of([&] { decode(bytes.substr(0, bytes.size() - 4)); }),
              HasSubstr("it ends too early"));
}

TEST(Image, ChecksSizesOfEachFormatBeforeItAllocates) {
  for (const char* name : {"bmp_24", "gif_local_colors", "webp_lossless"})
    EXPECT_THAT(message_of([&] { decode(golden_bytes(name), ColorMode::rgb, {.pixels = 34}); }),
                HasSubstr("7 x 5 pixels, at most 34 are decoded"))
        << name;
  std::string bmp = golden_bytes("bmp_runs_8");
  bmp.replace(18, 8, std::string("\xff\xff\xff\x7f\xff\xff\xff\x7f"));
  EXPECT_THAT(message_of([&] { decode(bmp); }), HasSubstr("2147483647 x 2147483647 pixels"));
  std::string gif = golden_bytes("gif_2_colors");
  gif.replace(6, 4, "\xff\xff\xff\xff");
  EXPECT_THAT(message_of([&] { decode(gif); }), HasSubstr("65535 x 65535 pixels"));
}

TEST(Image, SaysWhatItDoesNotReadOfAFormat) {
  std::string bmp = golden_bytes("bmp_24");
  bmp[30] = 4;
  EXPECT_EQ(
      message_of([&] { decode(bmp); }),
      "t.img: the BMP image of 24 bits is compressed by method 4, which is not read; convert it");
  std::string webp = golden_bytes("webp_lossy_alpha");
  webp[20] = static_cast<char>(webp[20] | 2);
  EXPECT_EQ(message_of([&] { decode(webp); }),
            "t.img: the WebP image is animated; save its first picture");
}

class SizeOnly final : public ImageRows {
 public:
  void begin(int64_t height, int64_t width, int64_t) override { size = {height, width}; }
  void add(const uint8_t*, int64_t count) override { rows += count; }

  std::array<int64_t, 2> size = {};
  int64_t rows = 0;
};

TEST(Image, ShrinksAJpegToNoLessThanIsAskedFor) {
  const std::string bytes = golden_bytes("jpeg_rgb");  // 13 x 17
  const auto size_for = [&](std::array<int64_t, 2> least) {
    SizeOnly image;
    decode_image(std::as_bytes(std::span(bytes)), "t.jpg", {.at_least = least}, image);
    EXPECT_EQ(image.rows, image.size[0]);
    return image.size;
  };
  using Size = std::array<int64_t, 2>;
  EXPECT_EQ(size_for({13, 1}), (Size{13, 17}));
  EXPECT_EQ(size_for({7, 9}), (Size{7, 9}));
  EXPECT_EQ(size_for({5, 3}), (Size{7, 9}));
  EXPECT_EQ(size_for({4, 5}), (Size{4, 5}));
  EXPECT_EQ(size_for({1, 1}), (Size{2, 3}));
  EXPECT_EQ(size_for({100, 100}), (Size{13, 17}));
}

TEST(Image, SurvivesDamage) {
  for (const char* name :
       {"jpeg_rgb", "jpeg_progressive", "png_palette_transparent", "png_interlaced", "bmp_24_os2",
        "bmp_4", "bmp_32_masks", "bmp_runs_8", "bmp_runs_4", "gif_interlaced", "gif_transparent",
        "gif_on_a_screen", "webp_lossy_alpha", "webp_lossless"})
    expect_harmless_damage(golden_bytes(name), [](const std::string& bytes) {
      decode(bytes, ColorMode::rgba, {.pixels = 1 << 16});
      decode(bytes, ColorMode::grayscale, {.pixels = 1 << 16});
    });
}

}  // namespace
}  // namespace plimsoll
