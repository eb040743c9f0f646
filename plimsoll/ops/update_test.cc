#include "plimsoll/ops/update.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/node.h"
#include "tests/support/op_check.h"

namespace plimsoll {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;
using Rule = std::function<Updated(const Tensor& weight, const Tensor& gradient,
                                   const Tensors& slots, const UpdateScalars&)>;

UpdateScalars scalars(bool scale, bool decay, double clip) {
  return {.learning_rate = placeholder({}),
          .gradient_scale = scale ? placeholder({}) : Tensor(),
          .weight_decay = decay ? placeholder({}) : Tensor(),
          .clip_value = clip};
}

// Every combination of what all updates have in common, for shapes with and without a remainder.
void check_rule(const std::string& title, size_t slots, const Rule& rule) {
  for (const Shape& shape : {Shape{}, Shape{7}, Shape{33, 10}, Shape{0, 3}, Shape{30, 1000}})
    for (const bool scale : {false, true})
      for (const bool decay : {false, true}) {
        if (shape.elements() > 1000 && scale != decay) continue;
        const Spec spec{{}, shape};
        const Tensors slot_tensors(slots, placeholder(spec));
        const Updated updated = rule(placeholder(spec), placeholder(spec), slot_tensors,
                                     scalars(scale, decay, scale ? 0.5 : 0));
        ASSERT_EQ(updated.slots.size(), slots);
        testing::OpCase op_case{.title = title,
                                .op = updated.weight.value().node->op,
                                .inputs = Specs(2 + slots, spec),
                                .ranges = {{-2, 2}, {-2, 2}},
                                .check_gradient = false};
        op_case.ranges.resize(2 + slots, {1, 2});  // second moments above squared first ones
        op_case.ranges.push_back({0.01, 0.1});
        op_case.inputs.resize(3 + slots + scale + decay);
        op_case.ranges.resize(op_case.inputs.size(), {0.01, 0.1});
        testing::check_op(op_case);
      }
}

TEST(SgdUpdate, FollowsKeras) {
  const auto rule = [](double momentum, bool nesterov) {
    return [=](const Tensor& w, const Tensor& g, const Tensors& slots, const UpdateScalars& s) {
      return sgd_update(w, g, slots, s, momentum, nesterov);
    };
  };
  check_rule("plain", 0, rule(0, false));
  check_rule("momentum", 1, rule(0.9, false));
  check_rule("nesterov", 1, rule(0.9, true));
}

TEST(RmspropUpdate, FollowsKeras) {
  const auto rule = [](double momentum, bool centered) {
    return [=](const Tensor& w, const Tensor& g, const Tensors& slots, const UpdateScalars& s) {
      return rmsprop_update(w, g, slots, s, 0.9, momentum, 1e-7, centered);
    };
  };
  check_rule("plain", 1, rule(0, false));
  check_rule("momentum", 2, rule(0.8, false));
}

// The mean gradient must stay below the root of the mean square.
TEST(RmspropUpdate, FollowsKerasWhenCentered) {
  for (const double momentum : {0.0, 0.8}) {
    const Spec spec{{}, {33, 10}};
    const size_t slots = momentum > 0 ? 3 : 2;
    const Updated updated =
        rmsprop_update(placeholder(spec), placeholder(spec), Tensors(slots, placeholder(spec)),
                       scalars(false, false, 0), 0.9, momentum, 1e-7, true);
    testing::OpCase op_case{.title = "centered",
                            .op = updated.weight.value().node->op,
                            .inputs = Specs(2 + slots, spec),
                            .ranges = {{-2, 2}, {-1, 1}, {1, 2}},
                            .check_gradient = false,
                            .tolerance_scale = 2};
    op_case.ranges.resize(2 + slots, {-0.5, 0.5});
    op_case.inputs.push_back({});
    op_case.ranges.push_back({0.01, 0.1});
    testing::check_op(op_case);
  }
}

TEST(AdamUpdate, FollowsKeras) {
  for (const bool amsgrad : {false, true})
    check_rule(amsgrad ? "amsgrad" : "plain", amsgrad ? 3 : 2,
               [=](const Tensor& w, const Tensor& g, const Tensors& slots, const UpdateScalars& s) {
                 return adam_update(w, g, slots, s, 0.9, 0.999, 1e-7, amsgrad);
               });
}

TEST(Update, RefusesWhatDoesNotFitTheWeight) {
  const Tensor w = placeholder({{}, {3, 4}}), other = placeholder({{}, {4, 3}});
  const UpdateScalars plain = scalars(false, false, 0);
  EXPECT_THAT([&] { sgd_update(w, other, {}, plain, 0, false); },
              ThrowsMessage<InvalidArgument>(HasSubstr("the gradient must be float32 (3, 4)")));
  EXPECT_THAT([&] { sgd_update(w, w, {}, plain, 0.9, false); },
              ThrowsMessage<InvalidArgument>(HasSubstr("expected 1 slots, found 0")));
  EXPECT_THROW(adam_update(w, w, {w, other}, plain, 0.9, 0.999, 1e-7, false), InvalidArgument);
  EXPECT_THROW(sgd_update(w, w, {}, {.learning_rate = w}, 0, false), InvalidArgument);
}

}  // namespace
}  // namespace plimsoll
