#include "plimsoll/engine/passes/passes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "plimsoll/base/error.h"
#include "plimsoll/engine/compiled_step.h"
#include "plimsoll/engine/step_cache.h"
#include "plimsoll/graph/gradient.h"
#include "plimsoll/ops/ops.h"
#include "plimsoll/plan/validate.h"

namespace plimsoll {
namespace {

using testing::IsEmpty;

Variable wave(const std::string& name, const Shape& shape, float scale) {
  std::vector<float> values;
  for (int64_t i = 0; i < shape.elements(); ++i)
    values.push_back(scale * std::sin(1.3f * static_cast<float>(i) + scale));
  Variable variable(name, {DType::float32, shape});
  variable.set(values);
  return variable;
}

// Two convolutions with relu and pooling, a dense layer, a loss, and the gradients of everything:
// what the passes look for.
struct SmallCnn {
  Variable x = wave("x", {3, 13, 11, 3}, 1.0f);
  Variable kernel_1 = wave("kernel_1", {3, 3, 3, 8}, 0.5f);
  Variable bias_1 = wave("bias_1", {8}, 0.1f);
  Variable kernel_2 = wave("kernel_2", {3, 3, 8, 16}, 0.3f);
  Variable bias_2 = wave("bias_2", {16}, 0.2f);
  Variable dense = wave("dense", {16 * 2 * 2, 5}, 0.4f);
  Variable dense_bias = wave("dense_bias", {5}, 0.3f);

  Variables all() const { return {x, kernel_1, bias_1, kernel_2, bias_2, dense, dense_bias}; }

  Tensor loss() const {
    Tensor h = max_pool2d(relu(conv2d(x, kernel_1, bias_1)));
    h = conv2d(h, kernel_2, bias_2, {.padding = Padding::same});
    h = max_pool2d(relu(h));
    h = relu(matmul(reshape(h, {-1, 16 * 2 * 2}), dense) + dense_bias);
    const int32_t labels[] = {0, 4, 2};
    const Tensor target = constant(std::span<const int32_t>(labels), {3});
    return mean(sparse_softmax_cross_entropy(h, target)) + sum(square(tanh(dense * 0.1))) * 0.01;
  }

  // The loss, then the gradient of each variable.
  Tensors outputs() const {
    const Tensor value = loss();
    Tensors sources;
    for (const Variable& variable : all()) sources.push_back(variable.value());
    Tensors results = gradients(value, sources);
    results.insert(results.begin(), value);
    return results;
  }
};

class DisabledPasses {
 public:
  explicit DisabledPasses(const std::string& names) {
    setenv("PLIMSOLL_DISABLE_PASSES", names.c_str(), 1);
    clear_step_cache();
  }
  ~DisabledPasses() {
    unsetenv("PLIMSOLL_DISABLE_PASSES");
    clear_step_cache();
  }
};

std::vector<std::vector<float>> results_without(const std::string& passes) {
  const DisabledPasses disabled(passes);
  const SmallCnn cnn;
  const Tensors outputs = cnn.outputs();
  evaluate(outputs);
  std::vector<std::vector<float>> results;
  for (const Tensor& output : outputs) results.push_back(output.to_vector());
  return results;
}

void expect_close(const std::vector<std::vector<float>>& a,
                  const std::vector<std::vector<float>>& b, const std::string& what) {
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) {
    float largest = 0;
    for (float value : a[i]) largest = std::max(largest, std::abs(value));
    for (size_t j = 0; j < a[i].size(); ++j)
      ASSERT_NEAR(a[i][j], b[i][j], 2e-6f * largest)
          << what << ", output " << i << ", element " << j;
  }
}

std::vector<std::string> optional_passes() {
  std::vector<std::string> names;
  for (const Pass& pass : passes())
    if (!pass.required) names.emplace_back(pass.name);
  return names;
}

TEST(Passes, ChangeNoResult) {
  std::string all;
  for (const std::string& name : optional_passes()) all += (all.empty() ? "" : ",") + name;
  const auto plain = results_without(all);
  expect_close(plain, results_without(""), "all passes");
  for (const std::string& name : optional_passes())
    expect_close(plain, results_without(name), "without " + name);
}

StepGraph graph_of(const Tensors& outputs) {
  return take_step({}, outputs);
}

TEST(Passes, LeaveFewerInstructions) {
  const SmallCnn cnn;
  const CompiledStep fused(graph_of(cnn.outputs()));
  const DisabledPasses disabled("fuse_epilogues,fuse_convolution_pooling,fuse_elementwise");
  const CompiledStep plain(graph_of(cnn.outputs()));
  EXPECT_LT(fused.program().instructions.size() + 10, plain.program().instructions.size());
}

TEST(Passes, ThePlanOfAStepIsSoundAndTight) {
  for (const char* names : {"", "fuse_epilogues,fuse_convolution_pooling,fuse_elementwise"}) {
    const DisabledPasses disabled(names);
    const SmallCnn cnn;
    const CompiledStep step(graph_of(cnn.outputs()));
    EXPECT_THAT(plan::validate_plan(step.problem(), step.plan()), IsEmpty());
    EXPECT_LE(step.plan().arena_bytes * 1000, step.plan().max_live_bytes * 1005);
  }
}

TEST(Passes, ReordersStandOnlyAtTheBorders) {
  const DisabledPasses disabled("fuse_convolution_pooling");
  const SmallCnn cnn;
  const CompiledStep step(graph_of({cnn.loss()}));
  // From the second pooling to the flattened rows; everything before it keeps the blocks.
  int reorders = 0;
  for (const Instruction& instruction : step.program().instructions)
    reorders += instruction.op->name() == "reorder";
  EXPECT_LE(reorders, 1);
}

TEST(Passes, PoolStraightIntoTheRowsThatADenseLayerReads) {
  const SmallCnn cnn;
  const Tensor pooled = max_pool2d(relu(conv2d(cnn.x, cnn.kernel_1, cnn.bias_1)));
  const CompiledStep step(graph_of({sum(reshape(pooled, {3, -1}))}));
  for (const Instruction& instruction : step.program().instructions)
    EXPECT_NE(instruction.op->name(), "reorder");
}

TEST(Passes, AreTimedByName) {
  const SmallCnn cnn;
  const CompiledStep step(graph_of({cnn.loss()}));
  ASSERT_EQ(step.pass_times().size(), passes().size());
  for (const PassTime& time : step.pass_times()) EXPECT_GE(time.seconds, 0);
}

TEST(Passes, CannotBeSwitchedOffByAnUnknownName) {
  const DisabledPasses disabled("fuse_all");
  const SmallCnn cnn;
  EXPECT_THAT(
      [&] { CompiledStep step(graph_of({cnn.loss()})); },
      testing::ThrowsMessage<InvalidArgument>(testing::HasSubstr(
          "cannot switch off 'fuse_all'; these can be: prune, split_normalization, fuse_")));
}

}  // namespace
}  // namespace plimsoll
