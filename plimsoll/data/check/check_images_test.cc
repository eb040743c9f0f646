#include "plimsoll/data/check/check_images.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/golden.h"

namespace plimsoll {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class Images : public ::testing::Test {
 protected:
  void add(const std::string& name, const std::string& golden) {
    const std::string bytes = testing::read_golden("images", golden).bytes("file");
    images_.add_file(record_++, name, std::as_bytes(std::span(bytes)));
  }
  std::vector<CheckWarning> warnings() const {
    std::vector<CheckWarning> warnings;
    images_.warn([](int64_t record) { return std::to_string(record); }, warnings);
    return warnings;
  }

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
