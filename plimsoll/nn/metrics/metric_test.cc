#include "plimsoll/nn/metrics/metric.h"

#include <gtest/gtest.h>

#include <array>

#include "plimsoll/nn/metrics/accuracy.h"
#include "plimsoll/nn/metrics/mean_metric.h"
#include "plimsoll/nn/metrics/metric_list.h"
#include "tests/support/golden.h"
#include "tests/support/messages.h"

namespace plimsoll {
namespace {

using testing::expect_golden;
using testing::GoldenCase;
using testing::message_of;

Metric make(const GoldenCase& golden) {
  const std::string kind = golden.text("metric");
  if (kind != "BinaryAccuracy") return kind;
  // Only the name of the case has the threshold.
  const size_t at = golden.name().find("threshold_");
  return at == std::string::npos
             ? BinaryAccuracy()
             : BinaryAccuracy({.threshold = std::stod(golden.name().substr(at + 10))});
}

void check_batches(const GoldenCase& golden) {
  const Metric metric = make(golden);
  for (int i = 0; golden.has_tensor("result." + std::to_string(i)); ++i) {
    const std::string batch = "." + std::to_string(i);
    const bool weighted = golden.has_tensor("sample_weight" + batch);
    metric.update_state(golden.tensor("y_true" + batch), golden.tensor("y_pred" + batch),
                        weighted ? golden.tensor("sample_weight" + batch) : Tensor());
    expect_golden(golden, "result" + batch, std::vector{metric.result()});
  }
}

TEST(Metric, AgreesWithKeras) {
  for (const GoldenCase& golden : testing::read_goldens("metrics")) {
    SCOPED_TRACE(golden.name());
    if (golden.has_tensor("accuracy")) {
      const Metric accuracy("accuracy"), chosen(golden.text("metric"));
      for (const Metric& metric : {accuracy, chosen})
        metric.update_state(golden.tensor("y_true"), golden.tensor("y_pred"));
      expect_golden(golden, "accuracy", std::vector{accuracy.result()});
      expect_golden(golden, "accuracy", std::vector{chosen.result()});
    } else {
      check_batches(golden);
    }
  }
}

TEST(Metric, IsZeroBeforeTheFirstUpdateAndAfterAReset) {
  const Mean mean;
  EXPECT_EQ(mean.result(), 0);
  mean.update_state(constant(std::array{1.f, 2.f, 6.f}, {3}));
  EXPECT_EQ(mean.result(), 3);
  mean.update_state(scalar(7));
  EXPECT_EQ(mean.result(), 4);
  mean.reset_state();
  EXPECT_EQ(mean.result(), 0);
}

TEST(Metric, MeansWeightedValues) {
  const Mean mean;
  mean.update_state(constant(std::array{1.f, 3.f, 5.f, 7.f}, {4}),
                    constant(std::array{1.f, 1.f, 0.f, 0.f}, {4}));
  EXPECT_EQ(mean.result(), 2);
}

TEST(Metric, TakesTheNameItWasAskedForBy) {
  EXPECT_EQ(Metric("acc").name(), "acc");
  EXPECT_EQ(Metric("mse").name(), "mse");
  const Metric mse("mse");
  mse.update_state(constant(std::array{1.f, 2.f}, {2, 1}), constant(std::array{2.f, 4.f}, {2, 1}));
  EXPECT_EQ(mse.result(), 2.5);
  EXPECT_EQ(message_of([] { Metric("accurracy"); }).substr(0, 82),
            "metric: 'accurracy' is not known (did you mean accuracy?; known: accuracy, binary_");
  EXPECT_EQ(message_of([] { Metric("mean_io_u"); }),
            "metric: 'mean_io_u' needs settings; make it as MeanIoU({…})");
}

TEST(Metric, ComparesForEqualityAsAccuracy) {
  const Accuracy accuracy;
  accuracy.update_state(constant(std::array{1, 2, 3, 4}, {4}),
                        constant(std::array{0.f, 2.f, 3.f, 4.f}, {4}));
  EXPECT_EQ(accuracy.result(), 0.75);
}

TEST(Metric, SaysWhichShapesDoNotFit) {
  EXPECT_EQ(message_of([] {
              SparseCategoricalAccuracy().update_state(placeholder({DType::int32, {3}}),
                                                       placeholder({DType::float32, {4, 5}}));
            }),
            "sparse_categorical_accuracy: y_true has shape (3,), y_pred (4, 5), expected y_true of "
            "(4,)");
}

}  // namespace
}  // namespace plimsoll
