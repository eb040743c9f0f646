#include "plimsoll/train/callbacks/kept_tensors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/report_finding.h"
#include "plimsoll/engine/memory/loop_watch.h"
#include "plimsoll/nn/layers/dense.h"
#include "plimsoll/ops/ops.h"
#include "plimsoll/train/callbacks/lambda_callback.h"
#include "plimsoll/train/model.h"

namespace plimsoll {
namespace {

class KeptTensorsOf : public testing::Test {
 protected:
  KeptTensorsOf() {
    LoopWatch::current() = {};
    set_finding_handler([this](const Finding& finding) { findings_.push_back(finding); });
  }
  ~KeptTensorsOf() override { set_finding_handler({}); }

  void fit(int epochs, CallbackFunction at_end) {
    const Tensor x = constant(std::vector<float>{1, 2, 3, 4}, {4, 1});
    Sequential model({Dense({.units = 1})});
    model.compile({.loss = "mse"});
    model.fit(x, x,
              {.epochs = epochs,
               .verbose = 0,
               .callbacks = {LambdaCallback({.on_epoch_end = std::move(at_end)})}});
  }

  std::vector<Finding> findings_;
};

TEST_F(KeptTensorsOf, NamesTheLineOfACallbackThatKeepsTensors) {
  Tensors kept;
  fit(3, [&](TrainingState& state) {
    for (const Variable& weight : state.model.weights()) kept.push_back(weight * 1);
    kept.back().data();
  });
  const std::string line = std::to_string(__LINE__ - 3);
  ASSERT_EQ(findings_.size(), 1u);
  EXPECT_THAT(findings_[0].where, testing::EndsWith("kept_tensors_test.cc:" + line));
  EXPECT_THAT(findings_[0].what, testing::StartsWith("holds 6 tensors ("));
}

TEST_F(KeptTensorsOf, NamesTheLineOfACallbackThatKeepsATensorPerBatch) {
  Tensors kept;
  const Tensor x = constant(std::vector<float>(1200, 1), {1200, 1});
  Sequential model({Dense({.units = 1})});
  model.compile({.loss = "mse"});
  const CallbackFunction keep = [&](TrainingState&) { kept.push_back(scalar(1)); };
  const std::string line = std::to_string(__LINE__ - 1);
  model.fit(
      x, x,
      {.batch_size = 1, .verbose = 0, .callbacks = {LambdaCallback({.on_train_batch_end = keep})}});
  ASSERT_EQ(findings_.size(), 1u);
  EXPECT_THAT(findings_[0].where, testing::EndsWith("kept_tensors_test.cc:" + line));
}

TEST_F(KeptTensorsOf, SaysNothingOfTwoEpochs) {
  Tensors kept;
  fit(2, [&](TrainingState&) { kept.push_back(scalar(1)); });
  EXPECT_THAT(findings_, testing::IsEmpty());
}

TEST_F(KeptTensorsOf, SaysNothingOfATensorThatIsReplaced) {
  Tensor last;
  fit(6, [&](TrainingState& state) { last = scalar(state.seconds); });
  EXPECT_THAT(findings_, testing::IsEmpty());
}

}  // namespace
}  // namespace plimsoll
