#include "plimsoll/base/nearest_name.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

const std::vector<std::string> kNames = {"adam",    "adamw",        "sgd",
                                         "rmsprop", "--validation", "--validation-split"};

TEST(EditDistance, CountsTheLettersThatDiffer) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("abc", ""), 3u);
  EXPECT_EQ(edit_distance("train", "trian"), 1u);
  EXPECT_EQ(edit_distance("Adam", "aDAM"), 0u);
}

TEST(NearestName, IsTheOneThatDiffersLeast) {
  EXPECT_EQ(nearest_name("adm", kNames), "adam");
  EXPECT_EQ(nearest_name("RMSprob", kNames), "rmsprop");
  EXPECT_EQ(nearest_name("--validation-slpit", kNames), "--validation-split");
}

TEST(NearestName, CompletesWhatOnlyOneNameBeginsWith) {
  EXPECT_EQ(nearest_name("rms", kNames), "rmsprop");
  EXPECT_EQ(nearest_name("--val", kNames), "");
}

TEST(NearestName, IsEmptyWhereNoneIsNear) {
  EXPECT_EQ(nearest_name("", kNames), "");
  EXPECT_EQ(nearest_name("x", kNames), "");
  EXPECT_EQ(nearest_name("nesterov", kNames), "");
  EXPECT_EQ(nearest_name(std::string(100'000, 'a'), kNames), "");
  EXPECT_EQ(nearest_name("adam", {}), "");
}

TEST(NearestName, IsSaidInParentheses) {
  EXPECT_EQ(did_you_mean("sdg", kNames), " (did you mean sgd?)");
  EXPECT_EQ(did_you_mean("nesterov", kNames), "");
  EXPECT_EQ(not_known("optimizer:", "adan", {"adam", "sgd"}),
            "optimizer: 'adan' is not known (did you mean adam?; known: adam, sgd)");
  EXPECT_EQ(not_known("optimizer:", "x", {"adam", "sgd"}),
            "optimizer: 'x' is not known (known: adam, sgd)");
}

}  // namespace
}  // namespace plimsoll
