#include <gtest/gtest.h>

#include <cmath>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/ops/update/update.h"
#include "tests/support/op_check.h"

namespace plimsoll {
namespace {

const Specs kTensors = {{{}, {7, 33}}, {{}, {}}, {{}, {0, 4}}, {{}, {1000}}};

testing::OpCase finite(const Specs& specs) {
  return {.title = "",
          .op = testing::recorded_op([](const Tensors& in) { return all_finite(in); }, specs),
          .inputs = specs,
          .check_gradient = false};
}

TEST(AllFinite, SeesEveryElement) {
  testing::check_op(finite(kTensors));
  testing::check_op(finite({}));
  for (const float bad : {NAN, INFINITY, -INFINITY})
    for (const size_t position : {0, 3, 31, 32, 99}) {
      auto op_case = finite({{{}, {5}}, {{}, {100}}});
      op_case.values = {{}, std::vector<double>(100, 3e38)};
      op_case.values[1][position] = bad;
      testing::check_op(op_case);
    }
}

TEST(AllFinite, SplitsLargeTensors) {
  auto op_case = finite({{{}, {200, 1001}}, {{}, {100}}});
  testing::check_op(op_case);
  op_case.values = {{}, std::vector<double>(100, NAN)};
  testing::check_op(op_case);
}

TEST(Norm, IsOfAllTensors) {
  for (const Specs& specs : {kTensors, Specs{}, Specs{{{}, {1}}}})
    testing::check_op(
        {.title = "",
         .op = testing::recorded_op([](const Tensors& in) { return norm(in); }, specs),
         .inputs = specs});
}

TEST(Norm, KeepsItsAccuracyOverManyElements) {
  const Specs specs = {{{}, {700, 1001}}, {{}, {100}}};
  testing::check_op({.title = "",
                     .op = testing::recorded_op([](const Tensors& in) { return norm(in); }, specs),
                     .inputs = specs,
                     .ranges = {{0.5, 2}, {0.5, 2}},
                     .check_gradient = false});
}

TEST(Norm, IsFiniteWhereSquaresOverflow) {
  for (const size_t size : {1, 5, 100, 70000}) {
    const Specs specs = {{{}, {static_cast<int64_t>(size)}}, {{}, {2}}};
    testing::OpCase op_case{
        .title = "",
        .op = testing::recorded_op([](const Tensors& in) { return norm(in); }, specs),
        .inputs = specs,
        .check_gradient = false};
    op_case.values = {std::vector<double>(size, 1e25), {-3e30, 0}};
    testing::check_op(op_case);
  }
}

TEST(AllFinite, RefusesIntegers) {
  EXPECT_THROW(all_finite({placeholder({DType::int32, {2}})}), InvalidArgument);
  EXPECT_THROW(norm({placeholder({DType::int32, {2}})}), InvalidArgument);
}

}  // namespace
}  // namespace plimsoll
