#include "plimsoll/data/check/check_images.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/support/golden.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class Images : public ::testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& golden) const {
    std::ofstream(folder_.path(name), std::ios::binary)
        << testing::read_golden("images", golden).bytes("file");
    return folder_.path(name);
  }
  void add(const std::string& name, const std::string& golden) {
    images_.add_file(record_++, file(name, golden), {});
  }
  std::vector<CheckWarning> warnings() const {
    std::vector<CheckWarning> warnings;
    images_.warn([](int64_t record) { return std::to_string(record); }, warnings);
    return warnings;
  }

  TemporaryFolder folder_;
  ImageStatistics images_;
  int64_t record_ = 0;
};

TEST_F(Images, OfOneKindAndTheirNamesAreAllRight) {
  add("a.png", "png_rgb_8bit");
  add("b.PNG", "png_palette");
  add("c.jpeg", "jpeg_rgb");
  EXPECT_THAT(warnings(), IsEmpty());
}

TEST_F(Images, ThatAreNotWhatTheirNamesSayAreTold) {
  add("a.png", "png_rgb_8bit");
  add("b.jpg", "png_rgb_8bit");
  ASSERT_EQ(warnings().size(), 1u);
  EXPECT_EQ(warnings()[0].reason, "wrong_name");
  EXPECT_THAT(warnings()[0].examples, ElementsAre("1"));
}

TEST_F(Images, OfOtherChannelsThanMostAreTold) {
  add("a.png", "png_rgb_8bit");
  add("b.png", "png_gray_8bit");
  add("c.png", "png_rgb_16bit");
  add("d.png", "png_rgba_8bit");
  const auto found = warnings();
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].reason, "channels");
  EXPECT_EQ(found[0].what, "images of 1 channel(s), where most have 3");
  EXPECT_THAT(found[0].examples, ElementsAre("1"));
  EXPECT_THAT(found[1].examples, ElementsAre("3"));
}

TEST_F(Images, HaveTheFingerprintOfTheirBytes) {
  const std::string path = file("a.png", "png_rgb_8bit"), same = file("b.png", "png_rgb_8bit"),
                    other = file("c.png", "png_rgba_8bit");
  EXPECT_EQ(images_.add_file(0, path, {}), images_.add_file(1, same, {}));
  EXPECT_NE(images_.add_file(0, path, {}), images_.add_file(1, other, {}));
}

TEST_F(Images, OverTheLimitAreNotRead) {
  const std::string path = file("a.png", "png_rgb_8bit");
  try {
    images_.add_file(0, path, {.file_bytes = 10});
    FAIL();
  } catch (const FlawedRecord& error) {
    EXPECT_EQ(error.flaw(), Flaw::too_large);
  }
}

TEST_F(Images, AllOfOneColourAreTold) {
  const Specs specs = {{DType::uint8, {2, 2, 3}}};
  const std::vector<uint8_t> red = {9, 0, 0, 9, 0, 0, 9, 0, 0, 9, 0, 0};
  std::vector<uint8_t> spotted = red;
  spotted[11] = 1;
  for (const auto& pixels : {red, spotted}) {
    const std::byte* const places[] = {reinterpret_cast<const std::byte*>(pixels.data())};
    images_.add_pixels({record_++, specs, places}, 0);
  }
  ASSERT_EQ(warnings().size(), 1u);
  EXPECT_EQ(warnings()[0].reason, "one_colour");
  EXPECT_THAT(warnings()[0].examples, ElementsAre("0"));
}

}  // namespace
}  // namespace plimsoll
