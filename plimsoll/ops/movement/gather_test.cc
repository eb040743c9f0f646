#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/ops/movement/movement.h"
#include "tests/support/op_check.h"

namespace plimsoll {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

void check_gather(const Spec& table, const Spec& indices) {
  const Specs specs = {table, indices};
  testing::check_op(
      {.title = "",
       .op = testing::recorded_op([](const Tensors& in) { return gather(in[0], in[1]); }, specs),
       .inputs = specs,
       .ranges = {{0, 2}, {0, static_cast<double>(table.shape[0] - 1)}},
       .check_gradient = table.dtype == DType::float32});
}

void check_scatter(const Shape& updates, const Spec& indices, int64_t rows) {
  const Specs specs = {{{}, updates}, indices};
  testing::check_op(
      {.title = std::to_string(rows) + " rows",
       .op = testing::recorded_op(
           [&](const Tensors& in) { return scatter_add(in[0], in[1], rows); }, specs),
       .inputs = specs,
       .ranges = {{-2, 2}, {0, static_cast<double>(rows - 1)}},
       .reduction_length = static_cast<double>(updates.elements()) / static_cast<double>(rows)});
}

TEST(Gather, TakesRowsOfAnyTypeByBothIndexTypes) {
  for (const DType index : {DType::int32, DType::int64}) {
    for (const DType dtype : {DType::float32, DType::int64, DType::uint8, DType::boolean})
      check_gather({dtype, {7, 33}}, {index, {5, 3}});
    check_gather({{}, {10}}, {index, {}});
    check_gather({{}, {10, 2, 3}}, {index, {1000}});
    check_gather({{}, {10, 3}}, {index, {0}});
  }
}

TEST(ScatterAdd, SumsRowsOfTheSameIndex) {
  for (const DType index : {DType::int32, DType::int64}) {
    check_scatter({5, 3, 33}, {index, {5, 3}}, 7);
    check_scatter({1000, 7}, {index, {1000}}, 3);
    check_scatter({100, 300}, {index, {100}}, 1);
    check_scatter({7}, {index, {7}}, 1000);
    check_scatter({0, 4}, {index, {0}}, 5);
    check_scatter({3}, {index, {}}, 2);
  }
}

TEST(Gather, NamesAnIndexOutside) {
  const Specs in = {{{}, {4, 2}}, {DType::int64, {3}}};
  const OpPtr op = testing::recorded_op([](const Tensors& t) { return gather(t[0], t[1]); }, in);
  const Specs out = op->infer(in);
  const std::vector<Layout> plain(2);
  const KernelPtr kernel = op->kernel({in, out, plain, std::span(plain).first(1)});
  std::vector<float> table(8), y(6);
  for (const int64_t index : {4, -1}) {
    std::vector<int64_t> indices = {0, 3, index};
    std::byte* inputs[] = {reinterpret_cast<std::byte*>(table.data()),
                           reinterpret_cast<std::byte*>(indices.data())};
    std::byte* outputs[] = {reinterpret_cast<std::byte*>(y.data())};
    EXPECT_THAT(
        [&] {
          kernel->run({inputs, outputs, nullptr});
        },
        ThrowsMessage<InvalidArgument>(HasSubstr("index " + std::to_string(index) +
                                                 " at position 2 is outside the table of 4 rows")));
  }
}

TEST(Gather, RefusesWhatIsNoIndex) {
  const Tensor table = placeholder({{}, {4, 2}});
  EXPECT_THROW(gather(table, placeholder({{}, {3}})), InvalidArgument);
  EXPECT_THROW(gather(placeholder({}), placeholder({DType::int32, {3}})), InvalidArgument);
  EXPECT_THROW(scatter_add(table, placeholder({DType::int32, {3}}), 5), InvalidArgument);
}

}  // namespace
}  // namespace plimsoll
