#include "plimsoll/train/data/split_classes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/report_finding.h"
#include "plimsoll/nn/nn.h"

namespace plimsoll {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

Sequential classifier(const char* loss = "sparse_categorical_crossentropy", int64_t units = 3) {
  Sequential model({InputLayer({.shape = {1}}), Dense({.units = units})});
  model.compile({.loss = loss});
  return model;
}

Dataset labelled(const std::vector<float>& labels) {
  const auto records = static_cast<int64_t>(labels.size());
  return {constant(labels, {records, 1}), constant(labels, {records, 1})};
}

// 0 0 … 1 1 … 2 2 …, or 0 1 2 0 1 2 …
std::vector<float> labels_of(int records, int classes, bool are_sorted) {
  std::vector<float> labels;
  for (int i = 0; i < records; ++i)
    labels.push_back(static_cast<float>(are_sorted ? i * classes / records : i % classes));
  return labels;
}

std::string warning(const Model& model, const std::vector<float>& labels, double fraction) {
  const auto finding =
      about_split_classes(model, split_last(labelled(labels), fraction), "x.npz", "shuffle them");
  return finding ? to_string(*finding) : "";
}

TEST(SplitClasses, WarnWhereTheLastPartOfSortedRecordsIsTaken) {
  const Sequential model = classifier();
  EXPECT_EQ(warning(model, labels_of(150, 3, true), 0.2),
            "warning: x.npz: the validation is the last part of the data, and 100% of it is of "
            "class 2, against 17% of the training part: the records come sorted by class, so the "
            "model is measured on what it has hardly seen (shuffle them)");
  for (const int classes : {2, 3, 10, 100})
    for (const double fraction : {0.1, 0.2, 0.5})
      EXPECT_THAT(warning(model, labels_of(20'000, classes, true), fraction),
                  StartsWith("warning: "))
          << classes << " classes, " << fraction;
}

TEST(SplitClasses, SayNothingOfMixedRecords) {
  const Sequential model = classifier();
  for (const int records : {20, 150, 20'000})
    for (const int classes : {1, 2, 3, 10})
      for (const double fraction : {0.1, 0.2, 0.5})
        EXPECT_EQ(warning(model, labels_of(records, classes, false), fraction), "")
            << records << " records, " << classes << " classes, " << fraction;
}

// Rare classes are missing in a small part by chance.
TEST(SplitClasses, SayNothingWhereNearlyAllRecordsAreOfOneClass) {
  std::vector<float> labels(1000, 0.0f);
  for (size_t i = 0; i < 800; i += 100) labels[i] = 1;
  EXPECT_EQ(warning(classifier(), labels, 0.2), "");
}

TEST(SplitClasses, SayNothingOfTargetsThatAreNoClasses) {
  const Sequential model = classifier("mse", 1);
  EXPECT_EQ(warning(model, labels_of(150, 3, true), 0.2), "");
}

TEST(SplitClasses, AreLookedAtByFit) {
  std::string said;
  const FindingHandler before =
      set_finding_handler([&](const Finding& finding) { said += to_string(finding); });
  const auto fit = [&](bool are_sorted) {
    said.clear();
    classifier().fit(labelled(labels_of(60, 3, are_sorted)),
                     {.validation_split = 0.2, .verbose = 0});
    return said;
  };
  EXPECT_EQ(fit(false), "");
  EXPECT_THAT(fit(true), AllOf(StartsWith("warning: fit: the validation is the last part"),
                               HasSubstr("give validation_data")));
  set_finding_handler(before);
}

}  // namespace
}  // namespace plimsoll
