#include "plimsoll/ops/movement/movement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/node.h"
#include "tests/support/op_check.h"

namespace plimsoll {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;
using Pairs = std::vector<std::pair<int64_t, int64_t>>;

constexpr DType kAllTypes[] = {DType::float32, DType::int32, DType::int64, DType::uint8,
                               DType::boolean};

void check(const Specs& specs, const std::function<Tensor(const Tensors&)>& build,
           const std::string& title = "") {
  testing::check_op({.title = title,
                     .op = testing::recorded_op(build, specs),
                     .inputs = specs,
                     .check_gradient = specs[0].dtype == DType::float32});
}

TEST(Transpose, PermutesEveryWay) {
  std::vector<int> permutation = {0, 1, 2, 3};
  do {
    for (const DType dtype : kAllTypes)
      for (const Shape& shape : {Shape{3, 5, 2, 7}, Shape{1, 33, 4, 9}})
        check(
            {{dtype, shape}}, [&](const Tensors& in) { return transpose(in[0], permutation); },
            ::testing::PrintToString(permutation));
  } while (std::ranges::next_permutation(permutation).found);
}

TEST(Transpose, TurnsMatricesOfAnySize) {
  for (const Shape& shape : {Shape{1, 1}, Shape{1, 7}, Shape{33, 7}, Shape{1000, 33}, Shape{64, 64},
                             Shape{0, 3}, Shape{400, 150}})
    check({{{}, shape}}, [](const Tensors& in) { return transpose(in[0]); });
  check({{{}, {100, 33, 40}}}, [](const Tensors& in) { return transpose(in[0], {0, -1, -2}); });
  check({{{}, {}}}, [](const Tensors& in) { return transpose(in[0]); });
}

TEST(Transpose, RefusesWhatIsNoPermutation) {
  const Tensor x = placeholder({{}, {2, 3}});
  EXPECT_THAT(
      [&] {
        transpose(x, {0, 0});
      },
      ThrowsMessage<InvalidArgument>(HasSubstr("each of the 2 axes of (2, 3) once")));
  EXPECT_THROW(transpose(x, {0}), InvalidArgument);
  EXPECT_THROW(transpose(x, {0, 2}), InvalidArgument);
}

TEST(BroadcastTo, RepeatsAlongEveryAxis) {
  for (const DType dtype : kAllTypes)
    for (const Shape& from : {Shape{}, Shape{1}, Shape{7}, Shape{5, 1}, Shape{3, 1, 7},
                              Shape{3, 5, 1}, Shape{1, 5, 7}, Shape{1, 5, 1}})
      check({{dtype, from}}, [](const Tensors& in) { return broadcast_to(in[0], {3, 5, 7}); });
  check({{{}, {33}}}, [](const Tensors& in) { return broadcast_to(in[0], {1000, 33}); });
  check({{{}, {1, 3}}}, [](const Tensors& in) { return broadcast_to(in[0], {0, 3}); });
  check({{{}, {300, 1}}}, [](const Tensors& in) { return broadcast_to(in[0], {300, 400}); });
}

TEST(BroadcastTo, RefusesOtherShapes) {
  const Tensor x = placeholder({{}, {2, 3}});
  EXPECT_THAT(
      [&] {
        broadcast_to(x, {3, 3});
      },
      ThrowsMessage<InvalidArgument>(HasSubstr("(2, 3) does not broadcast to (3, 3)")));
  EXPECT_THROW(broadcast_to(x, {3}), InvalidArgument);
}

TEST(SumTo, HasTheShapeAskedFor) {
  const Tensor x = placeholder({{}, {3, 5, 7}});
  for (const Shape& shape : {Shape{}, Shape{1}, Shape{7}, Shape{5, 1}, Shape{3, 1, 7}, Shape{1, 1},
                             Shape{1, 5, 7}, Shape{3, 5, 7}})
    EXPECT_EQ(sum_to(x, shape).shape(), shape);
  EXPECT_THROW(sum_to(x, {2}), InvalidArgument);
}

TEST(Concatenate, JoinsAlongEveryAxis) {
  for (const DType dtype : kAllTypes)
    for (const int axis : {0, 1, 2, -1}) {
      Specs specs(3, {dtype, {3, 4, 5}});
      const int at = axis < 0 ? axis + 3 : axis;
      specs[1].shape[at] = 1;
      specs[2].shape[at] = 33;
      check(specs, [&](const Tensors& in) { return concatenate(in, axis); });
    }
  check({{{}, {3, 4}}}, [](const Tensors& in) { return concatenate(in); });
  check({{{}, {3, 0}}, {{}, {3, 2}}}, [](const Tensors& in) { return concatenate(in); });
}

TEST(Concatenate, KeepsBlocksOfChannels) {
  for (const int axis : {0, 1, 2, 3}) {
    Specs specs(3, {{}, {2, 3, 4, 16}});
    specs[1].shape[axis] = 8;
    specs[2].shape[axis] = 24;
    check(specs, [&](const Tensors& in) { return concatenate(in, axis); });
    const OpPtr op =
        testing::recorded_op([&](const Tensors& in) { return concatenate(in, axis); }, specs);
    const std::vector<Layout> offered = {{}, Layout::blocked(8), {}};
    EXPECT_EQ(op->layouts(specs, op->infer(specs), offered).outputs[0], Layout::blocked(8));
  }
  check({{{}, {2, 3, 16}}, {{}, {2, 3, 12}}}, [](const Tensors& in) { return concatenate(in); });
}

TEST(Concatenate, RefusesPartsThatDisagree) {
  const Tensor x = placeholder({{}, {2, 3}});
  EXPECT_THAT(
      [&] {
        concatenate({x, placeholder({{}, {3, 3}})}, 1);
      },
      ThrowsMessage<InvalidArgument>(HasSubstr("must agree except along axis 1")));
  EXPECT_THROW(concatenate({x, placeholder({DType::int32, {2, 3}})}), InvalidArgument);
  EXPECT_THROW(concatenate({x, placeholder({{}, {2}})}), InvalidArgument);
  EXPECT_THROW(concatenate({}), InvalidArgument);
}

TEST(Slice, CutsBoxes) {
  for (const DType dtype : kAllTypes) {
    const Spec spec{dtype, {5, 7, 33}};
    check({spec}, [](const Tensors& in) { return slice(in[0], {1, 2, 3}, {2, 4, 20}); });
    check({spec}, [](const Tensors& in) { return slice(in[0], {0, 0, 5}, {-1, -1, 1}); });
    check({spec}, [](const Tensors& in) { return slice(in[0], {4, 0, 0}, {1, -1, -1}); });
    check({spec}, [](const Tensors& in) { return slice(in[0], {5, 0, 0}, {-1, -1, 0}); });
  }
}

TEST(Slice, KeepsBlocksOfChannelsWhereItTakesWholeOnes) {
  const Spec spec{{}, {3, 4, 5, 32}};
  check({spec}, [](const Tensors& in) { return slice(in[0], {1, 1, 2, 8}, {1, 2, -1, 16}); });
  check({spec}, [](const Tensors& in) { return slice(in[0], {0, 0, 0, 4}, {-1, -1, -1, 8}); });
  check({{{}, {3, 16}}}, [](const Tensors& in) { return slice(in[0], {1, 8}, {2, 8}); });
}

TEST(Slice, RefusesBoxesThatReachOutside) {
  const Tensor x = placeholder({{}, {5, 7}});
  EXPECT_THAT(
      [&] {
        slice(x, {0, 3}, {5, 5});
      },
      ThrowsMessage<InvalidArgument>(HasSubstr("does not hold 5 elements from 3")));
  EXPECT_THROW(slice(x, {-1, 0}, {1, 1}), InvalidArgument);
  EXPECT_THROW(slice(x, {6, 0}, {-1, 1}), InvalidArgument);
  EXPECT_THROW(slice(x, {0}, {1}), InvalidArgument);
}

TEST(Pad, PutsElementsAround) {
  for (const DType dtype : kAllTypes)
    for (const double value : {0.0, 1.0}) {
      const Spec spec{dtype, {3, 4, 5}};
      for (const Pairs& paddings : {Pairs{{0, 0}, {0, 0}, {0, 0}}, Pairs{{1, 2}, {0, 3}, {4, 0}},
                                    Pairs{{0, 0}, {2, 1}, {0, 0}}, Pairs{{1, 0}, {0, 0}, {0, 0}},
                                    Pairs{{0, 0}, {1, 1}, {1, 1}}})
        check(
            {spec}, [&](const Tensors& in) { return pad(in[0], paddings, value); },
            ::testing::PrintToString(paddings));
    }
  check({{{}, {}}}, [](const Tensors& in) { return pad(in[0], {}); });
  check({{{}, {0, 3}}}, [](const Tensors& in) { return pad(in[0], {{1, 1}, {0, 2}}, 3); });
}

TEST(Pad, KeepsBlocksOfChannels) {
  const Spec spec{{}, {2, 3, 4, 16}};
  check({spec}, [](const Tensors& in) {
    return pad(in[0], {{0, 0}, {0, 1}, {2, 1}, {0, 0}}, 1.5);
  });
  check({spec}, [](const Tensors& in) { return pad(in[0], {{1, 0}, {0, 0}, {0, 0}, {8, 16}}); });
  check({spec}, [](const Tensors& in) { return pad(in[0], {{0, 0}, {0, 0}, {0, 0}, {0, 3}}); });
}

TEST(Pad, RefusesNegativePaddings) {
  const Tensor x = placeholder({{}, {5, 7}});
  EXPECT_THROW(pad(x, {{-1, 0}, {0, 0}}), InvalidArgument);
  EXPECT_THROW(pad(x, {{1, 0}}), InvalidArgument);
}

TEST(OneHot, MarksTheIndexAndLeavesOutsidersZero) {
  for (const DType dtype : {DType::int32, DType::int64, DType::uint8})
    for (const Shape& shape : {Shape{}, Shape{7}, Shape{33, 10}, Shape{0}})
      testing::check_op({.title = "",
                         .op = testing::recorded_op(
                             [](const Tensors& in) { return one_hot(in[0], 5); }, {{dtype, shape}}),
                         .inputs = {{dtype, shape}},
                         .ranges = {{dtype == DType::uint8 ? 0.0 : -2.0, 7}},
                         .check_gradient = false});
  EXPECT_THROW(one_hot(placeholder({{}, {3}}), 5), InvalidArgument);
  EXPECT_THROW(one_hot(placeholder({DType::int32, {3}}), 0), InvalidArgument);
}

}  // namespace
}  // namespace plimsoll
