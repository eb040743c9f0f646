#include "plimsoll/train/data/class_weight.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/error.h"
#include "plimsoll/ops/ops.h"

namespace plimsoll {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

Dataset labelled(const std::vector<float>& labels) {
  const auto count = static_cast<int64_t>(labels.size());
  return {Columns(constant(std::vector<float>(labels.size()), {count, 1})),
          Columns(constant(labels, {count, 1}))};
}

// sklearn.utils.class_weight.compute_class_weight("balanced", …) of the same labels.
TEST(BalancedClassWeight, IsThatOfScikitLearn) {
  const ClassWeight weights = balanced_class_weight(labelled({0, 0, 0, 2, 2, 5, 0, 0}), 1);
  ASSERT_EQ(weights.size(), 3u);
  EXPECT_NEAR(weights.at(0), 8.0 / (3 * 5), 1e-12);
  EXPECT_NEAR(weights.at(2), 8.0 / (3 * 2), 1e-12);
  EXPECT_NEAR(weights.at(5), 8.0 / (3 * 1), 1e-12);
}

TEST(BalancedClassWeight, TakesRowsOfOneHotLabels) {
  const Dataset data(Columns(constant(std::vector<float>(3), {3, 1})),
                     Columns(constant(std::vector<float>{0, 1, 0, 1, 1, 0}, {3, 2})));
  const ClassWeight weights = balanced_class_weight(data, 1);
  EXPECT_NEAR(weights.at(0), 3.0 / (2 * 1), 1e-12);
  EXPECT_NEAR(weights.at(1), 3.0 / (2 * 2), 1e-12);
}

TEST(BalancedClassWeight, RefusesLabelsThatAreNotClasses) {
  for (const float label : {0.5f, -1.f})
    EXPECT_THAT(
        [=] {
          balanced_class_weight(labelled({0, label}), 1);
        },
        ThrowsMessage<InvalidArgument>(HasSubstr("whole numbers from 0 on")));
}

const std::vector<std::string> kNames = {"cat", "dog", "1"};

TEST(ClassWeightFromJson, TakesNamesAndNumbers) {
  EXPECT_EQ(class_weight_from_json(R"({"dog": 2, "0": 0.5})", kNames, "w.json"),
            (ClassWeight{{0, 0.5}, {1, 2}}));
  // A name wins over a number.
  EXPECT_EQ(class_weight_from_json(R"({"1": 3})", kNames, "w.json"), (ClassWeight{{2, 3}}));
  EXPECT_EQ(class_weight_from_json(R"({"7": 3})", {}, "w.json"), (ClassWeight{{7, 3}}));
}

TEST(ClassWeightFromJson, NamesWhatIsWrong) {
  const auto refuses = [](const char* text, const char* why) {
    EXPECT_THAT([=] { class_weight_from_json(text, kNames, "w.json"); },
                ThrowsMessage<Error>(HasSubstr(why)))
        << text;
  };
  refuses(R"({"dgo": 2})",
          "w.json: there is no class 'dgo' (did you mean dog?); the classes are cat");
  refuses(R"({"3": 2})", "there is no class '3'");
  refuses(R"({"-1": 2})", "there is no class '-1'");
  refuses(R"({"dog": "2"})", "the weight of 'dog' must be a number from 0 on, found \"2\"");
  refuses(R"({"dog": -2})", "from 0 on, found -2");
  refuses(R"({"cat": 1, "0": 2})", "'0' is a class that has a weight already");
  refuses("[1, 2]", "expected a JSON object");
  refuses("{}", "expected a JSON object");
  refuses("{", "w.json");
  EXPECT_THAT([] { class_weight_from_json(R"({"cat": 1})", {}, "w.json"); },
              ThrowsMessage<InvalidArgument>(HasSubstr("have no names here")));
}

}  // namespace
}  // namespace plimsoll
