#include "plimsoll/train/checked_records.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "plimsoll/base/report_finding.h"
#include "plimsoll/plimsoll.h"

namespace plimsoll {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr int64_t kRecords = 8;

Tensor ones(int64_t rows, int64_t columns) {
  return constant(std::vector<float>(static_cast<size_t>(rows * columns), 1), {rows, columns});
}

// Label 5 of the fourth record is no class.
Dataset with_bad_label(float label = 5) {
  std::vector<float> y(kRecords, 1);
  y[3] = label;
  return {ones(kRecords, 4), constant(y, {kRecords})};
}

// It has not seen an input before it is trained.
Sequential classifier() {
  Sequential model({Dense({.units = 3, .activation = "softmax"})});
  model.compile({.loss = "sparse_categorical_crossentropy"});
  return model;
}

class NoteBadRecords final : public Callback {
 public:
  explicit NoteBadRecords(std::vector<std::string>& noted) : noted_(noted) {}
  void on_bad_record(TrainingState&, const BadRecord& record) override {
    noted_.push_back(record.reason);
  }

 private:
  std::vector<std::string>& noted_;
};

TEST(CheckedRecords, FitNamesARecordWithALabelThatIsNoClass) {
  Sequential model = classifier();
  EXPECT_THAT([&] { model.fit(with_bad_label(), {.verbose = 0}); },
              ThrowsMessage<CorruptFile>(
                  HasSubstr("3: the label is 5, expected a whole number from 0 to 2")));
  EXPECT_THAT([&] { model.fit(with_bad_label(0.5), {.verbose = 0}); },
              ThrowsMessage<CorruptFile>(HasSubstr("3: the label is 0.5")));
  EXPECT_NO_THROW(model.fit(with_bad_label(2), {.verbose = 0}));
}

TEST(CheckedRecords, FitSkipsIt) {
  std::vector<std::string> noted;
  FitOptions options{.batch_size = 4, .verbose = 0};
  options.reading.bad = {.then = OnBadRecord::skip, .most = 0.2};
  options.callbacks = {std::make_shared<NoteBadRecords>(noted)};
  Sequential model = classifier();
  model.fit(with_bad_label(), options);
  EXPECT_THAT(noted, ElementsAre("label"));
  noted.clear();
  Sequential validated = classifier();
  options.validation_data = with_bad_label();
  validated.fit(with_bad_label(1), options);
  EXPECT_THAT(noted, ElementsAre("label"));
}

TEST(CheckedRecords, FitSaysTheFirstThatItLeavesOut) {
  std::vector<std::string> said;
  const FindingHandler before = set_finding_handler(
      [&](const Finding& finding) { said.push_back(finding.what + "; " + finding.remedy); });
  FitOptions options{.epochs = 2, .batch_size = 4, .verbose = 0};
  options.reading.bad = {.then = OnBadRecord::skip, .most = 1};
  classifier().fit(with_bad_label(), options);
  set_finding_handler(before);
  EXPECT_THAT(said, ElementsAre("the label is 5, expected a whole number from 0 to 2; the "
                                "record is left out, as all bad ones are; "
                                "a callback's on_bad_record is told of each"));
}

TEST(CheckedRecords, EvaluateNamesItToo) {
  Sequential model = classifier();
  EXPECT_THAT([&] { model.evaluate(with_bad_label(), {.verbose = 0}); },
              ThrowsMessage<CorruptFile>(
                  HasSubstr("3: the label is 5, expected a whole number from 0 to 2")));
}

TEST(CheckedRecords, WordsHaveARowInTheEmbedding) {
  Sequential model({InputLayer({.shape = {2}}), Embedding({.input_dim = 10, .output_dim = 2}),
                    Flatten(), Dense({.units = 1})});
  model.compile({.loss = "mse"});
  const Tensor words = constant(std::vector<int32_t>{1, 2, 3, 10}, {2, 2});
  const auto expected = ThrowsMessage<CorruptFile>(HasSubstr("1: column 1 of 'x' is 10"));
  EXPECT_THAT([&] { model.fit(words, ones(2, 1), {.verbose = 0}); }, expected);
  EXPECT_THAT([&] { model.predict(words, {.verbose = 0}); }, expected);
}

TEST(CheckedRecords, AreFoundByTheRolesOfTheFields) {
  const Tensor a = Input({.shape = {1}, .name = "a"}), b = Input({.shape = {2}, .name = "b"});
  const Layer table = Embedding({.input_dim = 4, .output_dim = 2});
  Model model({a, b}, {Dense({.units = 1})(concatenate({a, Flatten()(table(b))}))});
  model.compile({.loss = "mse"});
  // The records have b before a.
  const Columns x = {{"b", constant(std::vector<int32_t>{0, 3, 1, 4}, {2, 2})},
                     {"a", constant(std::vector<float>{9, 9}, {2, 1})}};
  EXPECT_THAT([&] { model.fit(x, ones(2, 1), {.verbose = 0}); },
              ThrowsMessage<CorruptFile>(HasSubstr("1: column 1 of 'b' is 4")));
}

// The sum of two numbers.
Sequential adder() {
  Sequential model({InputLayer({.shape = {2}}), Dense({.units = 1, .kernel_initializer = "ones"})});
  model.compile({.loss = "mse"});
  return model;
}

// The second of three rows has no first number.
Tensor with_a_gap() {
  return constant(std::vector<float>{1, 2, NAN, 4, 5, 6}, {3, 2});
}

std::vector<float> numbers_of(const Tensor& tensor) {
  const auto* begin = reinterpret_cast<const float*>(tensor.data());
  return {begin, begin + tensor.shape().elements()};
}

TEST(CheckedRecords, PredictNamesARecordThatIsNotFinite) {
  Sequential model = adder();
  EXPECT_THAT([&] { model.predict(with_a_gap()); },
              ThrowsMessage<CorruptFile>(HasSubstr("1: column 0 of 'x' is NaN")));
  PredictOptions options;
  options.reading.allow_not_finite = true;
  const auto found = numbers_of(model.predict(with_a_gap(), options));
  EXPECT_EQ(found[0], 3);
  EXPECT_TRUE(std::isnan(found[1]));
}

TEST(CheckedRecords, PredictKeepsThePlacesOfRecordsThatItSkips) {
  std::vector<std::string> noted;
  for (const int64_t batch : {1, 2, 3}) {
    Sequential model = adder();
    PredictOptions options{.batch_size = batch};
    options.reading.bad = {.then = OnBadRecord::skip, .most = 0.4};
    options.callbacks = {std::make_shared<NoteBadRecords>(noted)};
    const auto found = numbers_of(model.predict(with_a_gap(), options));
    EXPECT_EQ(found[0], 3);
    EXPECT_TRUE(std::isnan(found[1]));
    EXPECT_EQ(found[2], 11);
  }
  EXPECT_THAT(noted, ElementsAre("not_finite", "not_finite", "not_finite"));
  PredictOptions strict;
  strict.reading.bad = {.then = OnBadRecord::skip, .most = 0.1};
  EXPECT_THAT([&] { adder().predict(with_a_gap(), strict); },
              ThrowsMessage<CorruptFile>(HasSubstr("more than the 10% that may be left out")));
}

TEST(CheckedRecords, WhatFitHasRepairedWithIsUsedOnNewRecords) {
  Sequential model = adder();
  FitOptions fit{.verbose = 0};
  fit.reading.repair = RepairWith::mean;
  const History history = model.fit(with_a_gap(), ones(3, 1), fit);
  EXPECT_THAT(history.repair_values, ElementsAre(ElementsAre(3, 4)));
  Sequential trained = adder();
  PredictOptions options;
  options.reading.repair_values = history.repair_values;
  EXPECT_THAT(numbers_of(trained.predict(with_a_gap(), options)), ElementsAre(3, 7, 11));
  EvaluateOptions measured;
  measured.reading.repair_values = {{10, 10}};
  const Tensor y = constant(std::vector<float>{3, 14, 11}, {3, 1});
  EXPECT_EQ(trained.evaluate(with_a_gap(), y, measured).at("loss"), 0);
  options.reading.repair_values = {{1, 2, 3}};
  EXPECT_THAT([&] { trained.predict(with_a_gap(), options); },
              ThrowsMessage<InvalidArgument>(HasSubstr("there are 3 numbers for the input 'x'")));
}

}  // namespace
}  // namespace plimsoll
