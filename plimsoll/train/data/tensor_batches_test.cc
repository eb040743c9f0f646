#include "plimsoll/train/data/tensor_batches.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/error.h"
#include "plimsoll/base/report_finding.h"
#include "plimsoll/engine/memory/loop_watch.h"
#include "plimsoll/graph/pending.h"
#include "plimsoll/nn/metrics/metric.h"
#include "plimsoll/ops/ops.h"

namespace plimsoll {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::UnorderedElementsAre;

Dataset five_records() {
  return Dataset(constant(std::vector<float>{0, 0.5f, 1, 1.5f, 2, 2.5f, 3, 3.5f, 4, 4.5f}, {5, 2}),
                 constant(std::vector<int32_t>{0, 1, 2, 3, 4}, {5}));
}

std::vector<int32_t> labels_of(const TensorBatches& batches) {
  std::vector<int32_t> labels;
  for (const Tensors& batch : batches)
    for (const int32_t label : batch[1].to_vector<int32_t>()) labels.push_back(label);
  return labels;
}

TEST(TensorBatches, GoThroughTheDataInOrder) {
  const TensorBatches batches = tensor_batches(five_records(), {.batch_size = 2});
  std::vector<Tensors> kept;
  for (const Tensors& batch : batches) kept.push_back(batch);
  ASSERT_EQ(kept.size(), 3u);
  EXPECT_EQ(kept[0][0].shape(), (Shape{2, 2}));
  EXPECT_EQ(kept[2][0].shape(), (Shape{1, 2}));
  // The next batch did not write over what the first holds.
  EXPECT_THAT(kept[0][0].to_vector(), ElementsAre(0, 0.5f, 1, 1.5f));
  EXPECT_THAT(labels_of(batches), ElementsAre(0, 1, 2, 3, 4));
}

TEST(TensorBatches, ShuffleByTheEpochAndTheSeed) {
  const auto order = [](int64_t epoch, int64_t seed) {
    return labels_of(tensor_batches(
        five_records(), {.batch_size = 2, .shuffle = true, .epoch = epoch, .seed = seed}));
  };
  EXPECT_THAT(order(0, 1), UnorderedElementsAre(0, 1, 2, 3, 4));
  EXPECT_EQ(order(3, 1), order(3, 1));
  int others = 0;
  for (int64_t epoch = 1; epoch < 6; ++epoch) others += order(epoch, 1) != order(0, 1);
  EXPECT_GT(others, 2);
}

TEST(TensorBatches, StopEarly) {
  EXPECT_THAT(labels_of(tensor_batches(five_records(), {.batch_size = 2, .steps = 1})),
              ElementsAre(0, 1));
  EXPECT_THAT(labels_of(tensor_batches(five_records(), {.batch_size = 2, .drop_remainder = true})),
              ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(tensor_batches(five_records(), {.batch_size = 5, .drop_remainder = true}).size(), 1);
  EXPECT_EQ(tensor_batches(five_records(), {.batch_size = 8, .drop_remainder = true}).size(), 0);
  EXPECT_THROW(tensor_batches(Dataset()), InvalidArgument);
}

TEST(TensorBatches, KeepNoBatchForAMetricThatNobodyAsks) {
  const Metric mean("mean_squared_error");
  for (const Tensors& batch : tensor_batches(five_records(), {.batch_size = 1})) {
    EXPECT_FALSE(Context::current().has_assignments());
    mean.update_state(batch[0], batch[0] + 2);
  }
  EXPECT_FALSE(Context::current().has_assignments());
  EXPECT_EQ(mean.result(), 4);
}

TEST(TensorBatches, EndAnEpochOfALoopThatTrains) {
  LoopWatch::current() = {};
  std::vector<Finding> findings;
  set_finding_handler([&](const Finding& finding) { findings.push_back(finding); });
  Variable weight("weight", {DType::float32, {}});
  Tensors kept;
  for (int epoch = 0; epoch < 3; ++epoch) {
    for (const Tensors& batch : tensor_batches(five_records())) {
      weight.assign(weight + sum(batch[0]));
      kept.push_back(weight * 2);
    }
    labels_of(tensor_batches(five_records()));  // no training: no epoch
  }
  const std::string line = std::to_string(__LINE__ - 4);
  set_finding_handler({});
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_THAT(findings[0].where, EndsWith("tensor_batches_test.cc:" + line));
  EXPECT_EQ(findings[0].what, "holds 3 tensors (12 B), 3 of them from the last 3 epochs");
}

}  // namespace
}  // namespace plimsoll
