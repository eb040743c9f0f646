#include "plimsoll/formats/images/image_flaw.h"

#include <gtest/gtest.h>

#include "plimsoll/formats/images/image.h"
#include "tests/support/golden.h"

namespace plimsoll {
namespace {

using namespace std::string_literals;

std::string golden_bytes(const std::string& name) {
  return testing::read_golden("images", name).bytes("file");
}

Flaw flaw(const std::string& bytes) {
  return image_flaw(std::as_bytes(std::span(bytes)));
}

// Of what decode_image throws; invalid where it decodes.
Flaw decoding_flaw(const std::string& bytes) {
  try {
    decode_image(std::as_bytes(std::span(bytes)), "t.img", ColorMode::rgb);
  } catch (const FlawedRecord& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with("t.img: ")) << error.what();
    return error.flaw();
  }
  return Flaw::invalid;
}

// A GIF of 2 x 2 pixels, written by hand after its specification.
const std::string kGif =
    "GIF89a\x02\0\x02\0\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\x02\0\x02\0\0\x02\x03\x44\x02\x05\0;"s;

TEST(ImageFlaw, FilesThatAreNoImageAreToldApart) {
  EXPECT_EQ(decoding_flaw(""), Flaw::empty);
  EXPECT_EQ(decoding_flaw(std::string(100, '\0')), Flaw::zeros);
  EXPECT_EQ(decoding_flaw("<!DOCTYPE html><html></html>"), Flaw::not_an_image);
  EXPECT_EQ(decoding_flaw("\x17\x03\xa8 some bytes"), Flaw::not_an_image);
}

TEST(ImageFlaw, EveryCutOffImageIsTruncated) {
  for (const char* name : {"jpeg_rgb", "jpeg_progressive", "jpeg_gray", "png_rgb_8bit",
                           "png_palette", "png_interlaced"}) {
    SCOPED_TRACE(name);
    const std::string whole = golden_bytes(name);
    ASSERT_EQ(decoding_flaw(whole), Flaw::invalid) << "it decodes";
    for (size_t size = 8; size < whole.size() - 1; ++size)
      ASSERT_EQ(flaw(whole.substr(0, size)), Flaw::truncated) << size << " of " << whole.size();
    EXPECT_EQ(decoding_flaw(whole.substr(0, whole.size() / 2)), Flaw::truncated);
  }
}

TEST(ImageFlaw, ACutOffGifIsTruncatedAndAWholeOneIsNot) {
  EXPECT_NE(flaw(kGif), Flaw::truncated);
  for (size_t size = 6; size < kGif.size(); ++size)
    ASSERT_EQ(flaw(kGif.substr(0, size)), Flaw::truncated) << size;
}

TEST(ImageFlaw, ABmpIsTruncatedWhereItIsShorterThanItSays) {
  const std::string header =
      "BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\x02\0\0\0\x02\0\0\0\x01\0\x18\0"s;
  EXPECT_EQ(flaw(header + std::string(39, 'x')), Flaw::truncated);
  EXPECT_EQ(flaw(header + std::string(40, 'x')), Flaw::damaged);
}

TEST(ImageFlaw, AWebpIsTruncatedWhereItIsShorterThanItSays) {
  const std::string header = "RIFF\x20\0\0\0WEBPVP8L\x10\0\0\0\x2f\x01\x40\0\0"s;
  EXPECT_EQ(flaw(header), Flaw::truncated);
  EXPECT_EQ(flaw(header + std::string(40 - header.size(), 'x')), Flaw::damaged);
}

TEST(ImageFlaw, AWrongChecksumOrBrokenScanIsDamage) {
  std::string png = golden_bytes("png_rgb_8bit");
  png[png.find("IDAT") + 8] ^= 0x55;
  EXPECT_EQ(decoding_flaw(png), Flaw::damaged);
  std::string jpeg = golden_bytes("jpeg_rgb");
  const size_t scan = jpeg.find("\xff\xda");
  jpeg.replace(scan + 20, 6, "\xff\xc0\xff\x01\xff\xc0");
  EXPECT_EQ(decoding_flaw(jpeg), Flaw::damaged);
}

TEST(ImageFlaw, AnAbsurdSizeInTheHeaderIsTooLarge) {
  std::string png = golden_bytes("png_rgb_8bit");
  png.replace(16, 8, "\0\x01\0\0\0\x01\0\0"s);
  EXPECT_EQ(flaw(png), Flaw::too_large);
  png.replace(16, 8, std::string(8, '\xff'));
  EXPECT_EQ(flaw(png), Flaw::too_large);
  std::string jpeg = golden_bytes("jpeg_rgb");
  jpeg.replace(jpeg.find("\xff\xc0") + 5, 4, "\xff\xff\xff\xff");
  EXPECT_EQ(decoding_flaw(jpeg), Flaw::too_large);
}

TEST(ImageFlaw, AnyBytesAreLookedAtWithinTheirBounds) {
  const std::string starts[] = {"\xff\xd8\xff", "\x89PNG\r\n\x1a\n", "GIF89a", "BM",
                                "RIFF\xff\xff\xff\xffWEBP"};
  uint32_t state = 1;
  for (const std::string& start : starts)
    for (size_t size = 0; size < 200; ++size) {
      std::string bytes = start;
      for (size_t i = 0; i < size; ++i)
        bytes += static_cast<char>((state = state * 1664525 + 1013904223) >> 24);
      const Flaw found = flaw(bytes);
      EXPECT_TRUE(found == Flaw::truncated || found == Flaw::damaged || found == Flaw::too_large);
    }
}

}  // namespace
}  // namespace plimsoll
