#include "plimsoll/ops/attention/attention.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/gradient.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/linear/linear.h"
#include "plimsoll/ops/movement/movement.h"
#include "plimsoll/ops/reduction/reduction.h"
#include "tests/support/op_check.h"

namespace plimsoll {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

struct AttentionCase {
  const char* title;
  Shape q, k, v;
  Shape mask = {};  // rank 0: none
  bool causal = false;
  double dropout = 0;
};

// Small enough for finite differences; then such that there are several blocks and threads.
const AttentionCase kCases[] = {
    {"plain", {2, 3, 2, 4}, {2, 5, 2, 4}, {2, 5, 2, 3}},
    {"causal", {1, 4, 2, 3}, {1, 4, 2, 3}, {1, 4, 2, 3}, {}, true},
    {"causal, more keys", {1, 2, 1, 3}, {1, 5, 1, 3}, {1, 5, 1, 2}, {}, true},
    {"causal, more queries", {1, 5, 1, 3}, {1, 2, 1, 3}, {1, 2, 1, 2}, {}, true},
    {"all masks", {2, 3, 2, 2}, {2, 9, 2, 2}, {2, 9, 2, 2}, {2, 2, 3, 9}},
    {"mask of keys", {2, 3, 2, 2}, {2, 9, 2, 2}, {2, 9, 2, 2}, {2, 1, 1, 9}},
    {"mask of queries", {2, 3, 2, 2}, {2, 4, 2, 2}, {2, 4, 2, 2}, {2, 1, 3, 1}},
    {"mask of pairs, causal", {2, 4, 1, 2}, {2, 4, 1, 2}, {2, 4, 1, 2}, {1, 1, 4, 4}, true},
    {"one key", {2, 3, 1, 2}, {2, 1, 1, 2}, {2, 1, 1, 2}, {2, 1, 1, 1}},
    {"dropout", {2, 3, 2, 2}, {2, 5, 2, 2}, {2, 5, 2, 2}, {}, false, 0.4},
    {"dropout, mask, causal", {2, 4, 1, 2}, {2, 4, 1, 2}, {2, 4, 1, 2}, {2, 1, 1, 4}, true, 0.3},
    {"no samples", {0, 3, 2, 4}, {0, 5, 2, 4}, {0, 5, 2, 4}},
    {"no keys", {2, 3, 2, 4}, {2, 0, 2, 4}, {2, 0, 2, 4}},
    {"blocks", {2, 210, 2, 17}, {2, 190, 2, 17}, {2, 190, 2, 9}},
    {"blocks, causal", {2, 210, 1, 8}, {2, 210, 1, 8}, {2, 210, 1, 8}, {}, true},
    {"blocks, mask", {2, 200, 1, 8}, {2, 70, 1, 8}, {2, 70, 1, 8}, {2, 1, 200, 70}},
    {"long, dropout", {1, 60, 1, 8}, {1, 1100, 1, 8}, {1, 1100, 1, 8}, {}, false, 0.2},
};

Specs specs_of(const AttentionCase& c) {
  Specs specs = {{{}, c.q}, {{}, c.k}, {{}, c.v}};
  if (c.mask.rank() > 0) specs.push_back({DType::boolean, c.mask});
  if (c.dropout > 0)
    for (int i = 0; i < 3; ++i) specs.push_back({DType::int64, {}});
  return specs;
}

Tensor build(const AttentionCase& c, const Tensors& in) {
  const size_t state = c.mask.rank() > 0 ? 4 : 3;
  AttentionOptions options{.scale = 0.7, .causal = c.causal, .dropout = c.dropout};
  if (c.dropout > 0)
    options.random = {
        .seed = in[state], .step = in[state + 1], .stream = 5, .first_sample = in[state + 2]};
  return attention(in[0], in[1], in[2], c.mask.rank() > 0 ? in[3] : Tensor(), options);
}

bool is_small(const AttentionCase& c) {
  return c.q.elements() * c.k.elements() < 3000;
}

double reduction_length(const AttentionCase& c) {
  return static_cast<double>(c.k[1] + c.q[1] + c.q[3]);
}

TEST(Attention, AgreesWithItsReference) {
  for (const AttentionCase& c : kCases)
    testing::check_op(
        {.title = c.title,
         .op = testing::recorded_op([&](const Tensors& in) { return build(c, in); }, specs_of(c)),
         .inputs = specs_of(c),
         .check_gradient = is_small(c),
         .reduction_length = reduction_length(c),
         .tolerance_scale = 4});
}

TEST(Attention, ComputesItsGradient) {
  for (const AttentionCase& c : kCases) {
    Tensors in;
    for (const Spec& spec : specs_of(c)) in.push_back(placeholder(spec));
    const Tensor y = build(c, in);
    const Node& node = *y.value().node;
    const Tensor dq = node.op->gradient(node, {placeholder(y.spec())})[0];
    Specs specs = specs_of(c);
    specs.push_back(y.spec());
    testing::check_op({.title = c.title,
                       .op = dq.value().node->op,
                       .inputs = specs,
                       .check_gradient = false,
                       .reduction_length = reduction_length(c),
                       .tolerance_scale = 8});
  }
}

std::vector<float> numbers(const Shape& shape, double start) {
  std::vector<float> values(static_cast<size_t>(shape.elements()));
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<float>(std::sin(start + 1.3 * static_cast<double>(i)));
  return values;
}

// The op against products, softmax and dropout that are ops themselves.
TEST(Attention, IsWhatItsPartsCompute) {
  const Shape shape = {2, 6, 3, 4};
  const Tensor q = constant(numbers(shape, 1), shape), k = constant(numbers(shape, 2), shape);
  const Tensor v = constant(numbers(shape, 3), shape);
  const RandomState random{
      .seed = scalar(7, DType::int64), .step = scalar(3, DType::int64), .stream = 11};
  const auto heads_first = [](const Tensor& x) { return transpose(x, {0, 2, 1, 3}); };
  const Tensor scores = matmul(heads_first(q), heads_first(k), {.transpose_b = true}) * 0.5;
  const Tensor weights = dropout(softmax(scores), 0.25, random);
  const Tensor expected = heads_first(matmul(weights, heads_first(v)));
  const Tensor found = attention(q, k, v, {}, {.scale = 0.5, .dropout = 0.25, .random = random});
  const std::vector<float> a = expected.to_vector(), b = found.to_vector();
  for (size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-5);
}

TEST(Attention, WeighsAllKeysAlikeWhereNoneCounts) {
  const Shape shape = {1, 2, 1, 1};
  const Tensor q = constant(numbers(shape, 1), shape),
               v = constant(std::vector<float>{1, 3}, shape);
  const Tensor mask = cast(constant(std::vector<int32_t>{0, 0}, {1, 1, 1, 2}), DType::boolean);
  const Tensor y = attention(q, q, v, mask);
  const Tensors sources = {q, v};
  Tensors flowed = gradients(y, sources);
  flowed.push_back(y);
  evaluate(flowed);
  EXPECT_EQ(y.to_vector(), (std::vector<float>{2, 2}));
  EXPECT_EQ(flowed[0].to_vector(), (std::vector<float>{0, 0}));
  EXPECT_EQ(flowed[1].to_vector(), (std::vector<float>{1, 1}));
}

TEST(Attention, RefusesShapesThatDoNotAgree) {
  const auto tensor = [](const Shape& shape) { return placeholder({{}, shape}); };
  const Tensor q = tensor({2, 3, 2, 4}), k = tensor({2, 5, 2, 4});
  EXPECT_THAT(
      [&] {
        attention(q, k, tensor({2, 4, 2, 4}));
      },
      ThrowsMessage<InvalidArgument>(HasSubstr("must agree in batch, heads and depth")));
  EXPECT_THROW(attention(q, tensor({2, 5, 2, 3}), k), InvalidArgument);
  EXPECT_THROW(attention(q, tensor({2, 5, 4}), k), InvalidArgument);
  EXPECT_THAT(
      [&] {
        attention(q, k, k, placeholder({DType::boolean, {2, 1, 3, 4}}));
      },
      ThrowsMessage<InvalidArgument>(HasSubstr("the axes of (2, 2, 3, 5) or 1")));
  EXPECT_THROW(attention(q, k, k, {}, {.dropout = 1}), InvalidArgument);
}

}  // namespace
}  // namespace plimsoll
