#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/ops/reduction/reduction.h"
#include "tests/support/op_check.h"

namespace plimsoll {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

OpPtr gradient_op(const Tensor& losses) {
  const Node& node = *losses.value().node;
  return node.op->gradient(node, {placeholder(losses.spec())})[0].value().node->op;
}

void check_sparse(const Shape& logits, DType dtype) {
  const Shape rows = logits.without(logits.rank() - 1);
  const Specs specs = {{{}, logits}, {dtype, rows}};
  const double last = static_cast<double>(logits.back() - 1);
  const Tensor losses = sparse_softmax_cross_entropy(placeholder(specs[0]), placeholder(specs[1]));
  testing::check_op({.title = "losses",
                     .op = losses.value().node->op,
                     .inputs = specs,
                     .ranges = {{-4, 4}, {0, last}},
                     .tolerance_scale = 2});
  testing::check_op({.title = "gradient",
                     .op = gradient_op(losses),
                     .inputs = {specs[0], specs[1], {{}, rows}},
                     .ranges = {{-4, 4}, {0, last}, {-1, 1}},
                     .check_gradient = false,
                     .tolerance_scale = 2});
}

void check_dense(const Shape& logits) {
  const Spec spec{{}, logits};
  const Tensor losses = softmax_cross_entropy(placeholder(spec), placeholder(spec));
  testing::check_op({.title = "losses",
                     .op = losses.value().node->op,
                     .inputs = {spec, spec},
                     .ranges = {{-4, 4}, {0, 1}},
                     .reduction_length = static_cast<double>(logits.back()),
                     .tolerance_scale = 2});
  testing::check_op({.title = "gradient",
                     .op = gradient_op(losses),
                     .inputs = {spec, spec, losses.spec()},
                     .ranges = {{-4, 4}, {0, 1}, {-1, 1}},
                     .check_gradient = false,
                     .reduction_length = static_cast<double>(logits.back()),
                     .tolerance_scale = 2});
}

TEST(CrossEntropy, TakesLabelsOfBothIntegerTypes) {
  for (const DType dtype : {DType::int32, DType::int64})
    for (const Shape& logits :
         {Shape{1, 1}, Shape{7, 10}, Shape{33, 3}, Shape{2, 5, 33}, Shape{3, 1000}, Shape{5}})
      check_sparse(logits, dtype);
  check_sparse({0, 10}, DType::int32);
}

TEST(CrossEntropy, TakesTargets) {
  for (const Shape& logits :
       {Shape{1, 1}, Shape{7, 10}, Shape{2, 5, 33}, Shape{3, 1000}, Shape{0, 4}})
    check_dense(logits);
}

TEST(CrossEntropy, NamesTheRowOfALabelOutside) {
  const Specs in = {{{}, {3, 10}}, {DType::int32, {3}}};
  const OpPtr op = testing::recorded_op(
      [](const Tensors& t) { return sparse_softmax_cross_entropy(t[0], t[1]); }, in);
  const Specs out = op->infer(in);
  const std::vector<Layout> plain(2);
  const KernelPtr kernel = op->kernel({in, out, plain, std::span(plain).first(1)});
  std::vector<float> logits(30), losses(3);
  for (const int32_t label : {10, -1}) {
    std::vector<int32_t> labels = {0, label, 9};
    std::byte* inputs[] = {reinterpret_cast<std::byte*>(logits.data()),
                           reinterpret_cast<std::byte*>(labels.data())};
    std::byte* outputs[] = {reinterpret_cast<std::byte*>(losses.data())};
    EXPECT_THAT(
        [&] {
          kernel->run({inputs, outputs, nullptr});
        },
        ThrowsMessage<InvalidArgument>(AllOf(HasSubstr("row 1"),
                                             HasSubstr("is " + std::to_string(label)),
                                             HasSubstr("10 classes have the labels 0 to 9"))));
  }
}

TEST(CrossEntropy, RefusesLabelsAndTargetsOfOtherShapes) {
  const Tensor logits = placeholder({{}, {4, 10}});
  EXPECT_THAT(
      [&] {
        sparse_softmax_cross_entropy(logits, placeholder({DType::int32, {4, 1}}));
      },
      ThrowsMessage<InvalidArgument>(HasSubstr("labels must be int32 or int64 (4,)")));
  EXPECT_THROW(sparse_softmax_cross_entropy(logits, placeholder({{}, {4}})), InvalidArgument);
  EXPECT_THROW(softmax_cross_entropy(logits, placeholder({{}, {4, 9}})), InvalidArgument);
}

}  // namespace
}  // namespace plimsoll
