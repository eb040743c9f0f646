#include "plimsoll/data/sources/feature_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/support/messages.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

using ::testing::HasSubstr;
using testing::message_of;

class FeatureFile : public ::testing::Test {
 protected:
  std::vector<NamedFeature> read(const std::string& text) const {
    std::ofstream(folder_.path("features.json")) << text;
    return read_feature_file(folder_.path("features.json"));
  }
  std::string complaint(const std::string& text) const {
    return message_of([&] { read(text); });
  }

  TemporaryFolder folder_;
};

TEST_F(FeatureFile, SaysWhatEachFeatureIs) {
  const auto features = read(R"({
      "image/encoded": {"as": "x", "decode": "image", "image_size": [4, 5],
                        "color_mode": "grayscale"},
      "label": {"dtype": "int64"},
      "raw": {"decode": "float16", "shape": [2, 3]},
      "words": {"dtype": "int32", "shape": [9], "padded": true, "default": -1}})");
  ASSERT_EQ(features.size(), 4u);
  EXPECT_EQ(features[0].name, "x");
  EXPECT_EQ(features[0].field.name, "image/encoded");
  EXPECT_EQ(features[0].field.image->image_size, (std::array<int64_t, 2>{4, 5}));
  EXPECT_EQ(features[0].field.image->color_mode, ColorMode::grayscale);
  EXPECT_EQ(features[1].name, "label");
  EXPECT_EQ(features[1].field.dtype, DType::int64);
  EXPECT_TRUE(features[1].has_dtype);
  EXPECT_FALSE(features[1].has_shape);
  EXPECT_EQ(features[2].field.raw->size, 2);
  EXPECT_EQ(features[2].field.shape, (Shape{2, 3}));
  EXPECT_TRUE(features[3].field.is_padded);
  EXPECT_EQ(features[3].field.default_value, -1);
}

TEST_F(FeatureFile, RefusesWhatItDoesNotKnow) {
  const std::string start = folder_.path("features.json") + ": feature 'a': ";
  EXPECT_EQ(complaint(R"({"a": {"type": "int64"}})"),
            start + "'type' is not known, or has no meaning here");
  EXPECT_EQ(complaint(R"({"a": {"image_size": [1, 2]}})"),
            start + "'image_size' is not known, or has no meaning here");
  EXPECT_EQ(complaint(R"({"a": {"dtype": "string"}})"),
            start + "dtype expected float32, int32, int64, uint8 or bool, found 'string'");
  EXPECT_THAT(complaint(R"({"a": {"shape": [0]}})"), HasSubstr("shape expected a list of sizes"));
  EXPECT_THAT(complaint(R"({"a": {"shape": 3}})"), HasSubstr("shape expected a list of sizes"));
  EXPECT_THAT(complaint(R"({"a": {"shape": [65536, 65536]}})"), HasSubstr("thousand million"));
  EXPECT_THAT(complaint(R"({"a": {"decode": "jpeg"}})"), HasSubstr("decode expected image, or"));
  EXPECT_THAT(complaint(R"({"a": {"default": "0"}})"), HasSubstr("default expected a number"));
  EXPECT_THAT(complaint(R"({"a": 1})"), HasSubstr("expected an object"));
  EXPECT_THAT(complaint("[]"), HasSubstr("expected a JSON object with a member for each feature"));
}

}  // namespace
}  // namespace plimsoll
