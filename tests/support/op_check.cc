#include "tests/support/op_check.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <set>

#include "plimsoll/graph/node.h"
#include "plimsoll/ops/op_list.h"
#include "tests/support/attribute_check.h"
#include "tests/support/gradient_check.h"
#include "tests/support/kernel_check.h"

namespace plimsoll::testing {
namespace {

std::set<std::string, std::less<>>& checked_names() {
  static std::set<std::string, std::less<>> names;
  return names;
}

// When the whole suite has run, checks that every row of the op list was checked.
class EveryOpIsChecked final : public ::testing::Environment {
 public:
  void TearDown() override {
    const auto& suite = *::testing::UnitTest::GetInstance();
    if (GTEST_FLAG_GET(filter) != "*" || std::getenv("GTEST_TOTAL_SHARDS") || suite.Failed())
      return;
    std::vector<std::string_view> unchecked;
    for (const std::string_view name : op_names())
      if (!checked_names().contains(name)) unchecked.push_back(name);
    EXPECT_TRUE(unchecked.empty())
        << "no test calls check_op() for " << ::testing::PrintToString(unchecked);
  }
};

[[maybe_unused]] const auto* const kEveryOpIsChecked =
    ::testing::AddGlobalTestEnvironment(new EveryOpIsChecked);

void draw(Array& array, std::pair<double, double> range, std::mt19937& random) {
  const DType dtype = array.spec.dtype;
  for (double& x : array.data) {
    const double high = range.second + (dtype == DType::float32 ? 0 : 1);
    x = std::uniform_real_distribution<double>(range.first, high)(random);
    if (dtype == DType::float32) x = static_cast<float>(x);
    if (is_integer(dtype)) x = std::min(std::floor(x), range.second);
    if (dtype == DType::boolean) x = x >= (range.first + high) / 2;
  }
}

std::pair<double, double> range_of(const OpCase& op_case, size_t input) {
  if (input < op_case.ranges.size()) return op_case.ranges[input];
  const DType dtype = op_case.inputs[input].dtype;
  if (dtype == DType::uint8 || dtype == DType::boolean) return {0, 4};
  return {-2, 2};
}

// Replaces what was drawn for the float inputs by distinct values from the first one's range.
void spread(Arrays& inputs, const OpCase& op_case, std::mt19937& random) {
  std::vector<double*> elements;
  for (Array& input : inputs)
    if (input.spec.dtype == DType::float32)
      for (double& x : input.data) elements.push_back(&x);
  std::shuffle(elements.begin(), elements.end(), random);
  const auto [low, high] = range_of(op_case, 0);
  const auto count = static_cast<double>(elements.size());
  const double gap = std::max(op_case.distinct_gap, (high - low) / count);
  double x = (low + high) / 2 - gap * (std::floor(count / 2) - 0.5);
  for (double* element : elements) *element = static_cast<float>(std::exchange(x, x + gap));
}

Arrays draw_inputs(const OpCase& op_case) {
  std::mt19937 random(1);
  Arrays inputs;
  for (size_t i = 0; i < op_case.inputs.size(); ++i) {
    inputs.emplace_back(op_case.inputs[i]);
    draw(inputs[i], range_of(op_case, i), random);
  }
  if (op_case.distinct_gap > 0) spread(inputs, op_case, random);
  for (size_t i = 0; i < op_case.values.size(); ++i)
    if (!op_case.values[i].empty()) inputs[i].data = op_case.values[i];
  return inputs;
}

std::string describe(const OpCase& op_case) {
  std::string text = to_string(*op_case.op) + ": " + op_case.title;
  for (const Spec& spec : op_case.inputs) text += ", " + spec.to_string();
  return text;
}

double tolerance_of(const OpCase& op_case) {
  constexpr double kEpsilon = 0x1p-23;
  return 4 * op_case.tolerance_scale * kEpsilon * std::sqrt(op_case.reduction_length);
}

// Each form of the op that computes only some of its outputs.
void check_pruned(const OpCase& op_case, const Arrays& inputs, const Arrays& expected) {
  const size_t count = expected.size();
  for (unsigned mask = 1; count > 1 && mask + 1 < 1u << count; ++mask) {
    std::unique_ptr<bool[]> used(new bool[count]);
    Arrays remaining;
    for (size_t o = 0; o < count; ++o) {
      used[o] = (mask >> o) & 1;
      remaining.push_back(used[o] ? expected[o] : Array({expected[o].spec.dtype, {0}}));
    }
    const OpPtr pruned = op_case.op->pruned(std::span<const bool>(used.get(), count));
    if (!pruned) continue;
    SCOPED_TRACE("pruned to outputs of mask " + std::to_string(mask));
    const Specs specs = pruned->infer(op_case.inputs);
    ASSERT_EQ(specs.size(), count);
    for (size_t o = 0; o < count; ++o) ASSERT_EQ(specs[o], remaining[o].spec) << "output " << o;
    check_kernels({*pruned, inputs, remaining, tolerance_of(op_case)});
  }
}

}  // namespace

void check_op(const OpCase& op_case) {
  SCOPED_TRACE(describe(op_case));
  const std::string_view name = op_case.op->name();
  EXPECT_TRUE(std::ranges::count(op_names(), name)) << "add a row to op_list.cc";
  checked_names().emplace(name);

  check_attributes(*op_case.op);
  const Arrays inputs = draw_inputs(op_case);
  const Specs specs = op_case.op->infer(op_case.inputs);
  const Arrays expected = op_case.op->reference(inputs);
  ASSERT_EQ(specs.size(), expected.size());
  for (size_t o = 0; o < specs.size(); ++o) ASSERT_EQ(specs[o], expected[o].spec) << "output " << o;

  check_kernels({*op_case.op, inputs, expected, tolerance_of(op_case)});
  if (::testing::Test::HasFatalFailure()) return;
  if (op_case.check_pruned) check_pruned(op_case, inputs, expected);
  if (op_case.check_gradient)
    check_gradient(op_case.op, inputs, op_case.constant_inputs, op_case.saved_outputs);
}

OpPtr recorded_op(const std::function<Tensor(const Tensors&)>& build, const Specs& inputs) {
  Tensors placeholders;
  for (const Spec& spec : inputs) placeholders.push_back(placeholder(spec));
  return build(placeholders).value().node->op;
}

}  // namespace plimsoll::testing
