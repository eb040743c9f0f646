#include "plimsoll/ops/update/update.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/node.h"
#include "tests/support/op_check.h"

namespace plimsoll {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;
using Rule = std::function<Updated(const Tensor& weight, const Tensor& gradient,
                                   const Tensors& slots, const UpdateScalars&)>;

struct Common {
  bool scale = false, decay = false;
  std::optional<bool> is_on = {};
};

UpdateScalars scalars(const Common& common) {
  return {.learning_rate = placeholder({}),
          .gradient_scale = common.scale ? placeholder({}) : Tensor(),
          .weight_decay = common.decay ? placeholder({}) : Tensor(),
          .is_on = common.is_on ? placeholder({}) : Tensor(),
          .clip_value = common.scale ? 0.5 : 0};
}

void check_rule(const std::string& title, size_t slots, const Rule& rule, const Shape& shape,
                const Common& common, double tolerance_scale) {
  const Spec spec{{}, shape};
  const Tensors slot_tensors(slots, placeholder(spec));
  const Updated updated = rule(placeholder(spec), placeholder(spec), slot_tensors, scalars(common));
  ASSERT_EQ(updated.slots.size(), slots);
  const OpPtr op = updated.weight.value().node->op;
  const size_t inputs = updated.weight.value().node->inputs.size();
  testing::OpCase op_case{.title = title,
                          .op = op,
                          .inputs = Specs(2 + slots, spec),
                          .ranges = {{-2, 2}, {-2, 2}},
                          .check_gradient = false,
                          .tolerance_scale = tolerance_scale};
  op_case.ranges.resize(2 + slots, {1, 2});  // second moments above squared first ones
  op_case.inputs.resize(inputs);
  op_case.ranges.resize(inputs, {0.01, 0.1});
  if (common.is_on) op_case.ranges.back() = {*common.is_on, *common.is_on};
  testing::check_op(op_case);
}

// Every combination of what all updates have in common, for shapes with and without a remainder.
void check_rule(const std::string& title, size_t slots, const Rule& rule,
                double tolerance_scale = 1) {
  for (const Shape& shape : {Shape{}, Shape{7}, Shape{33, 10}, Shape{0, 3}, Shape{30, 1000}})
    for (const bool scale : {false, true})
      for (const bool decay : {false, true}) {
        if (shape.elements() > 1000 && scale != decay) continue;
        check_rule(title, slots, rule, shape, {.scale = scale, .decay = decay}, tolerance_scale);
      }
  for (const bool is_on : {false, true})
    check_rule(title + (is_on ? " on" : " off"), slots, rule, {33, 10},
               {.scale = true, .decay = true, .is_on = is_on}, tolerance_scale);
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
                       scalars({}), 0.9, momentum, 1e-7, true);
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

TEST(AdagradUpdate, FollowsKeras) {
  check_rule("plain", 1,
             [](const Tensor& w, const Tensor& g, const Tensors& slots, const UpdateScalars& s) {
               return adagrad_update(w, g, slots, s, 1e-7);
             });
}

TEST(AdadeltaUpdate, FollowsKeras) {
  check_rule("plain", 2,
             [](const Tensor& w, const Tensor& g, const Tensors& slots, const UpdateScalars& s) {
               return adadelta_update(w, g, slots, s, 0.95, 1e-7);
             });
}

TEST(NadamUpdate, FollowsKeras) {
  check_rule("plain", 2,
             [](const Tensor& w, const Tensor& g, const Tensors& slots, const UpdateScalars& s) {
               UpdateScalars with_rule = s;
               with_rule.rule = {placeholder({}), placeholder({})};
               return nadam_update(w, g, slots, with_rule, 0.9, 0.999, 1e-7);
             });
}

TEST(AdamaxUpdate, FollowsKeras) {
  check_rule("plain", 2,
             [](const Tensor& w, const Tensor& g, const Tensors& slots, const UpdateScalars& s) {
               return adamax_update(w, g, slots, s, 0.9, 0.999, 1e-7);
             });
}

TEST(LionUpdate, FollowsKeras) {
  check_rule("plain", 1,
             [](const Tensor& w, const Tensor& g, const Tensors& slots, const UpdateScalars& s) {
               return lion_update(w, g, slots, s, 0.9, 0.99);
             });
}

// A difference of powers is divided by the learning rate.
TEST(FtrlUpdate, FollowsKeras) {
  const FtrlSettings all{
      .learning_rate_power = -0.7, .l1 = 0.3, .l2 = 0.2, .l2_shrinkage = 0.1, .beta = 0.05};
  for (const FtrlSettings& settings : {FtrlSettings{}, all})
    check_rule(
        "ftrl", 2,
        [=](const Tensor& w, const Tensor& g, const Tensors& slots, const UpdateScalars& s) {
          return ftrl_update(w, g, slots, s, settings);
        },
        30);
}

TEST(AccumulateGradient, AddsUpUntilAnUpdateIsDue) {
  const Spec spec{{}, {33, 10}};
  const Accumulated accumulated =
      accumulate_gradient(placeholder(spec), placeholder(spec), 0.5, placeholder({}));
  for (const double is_due : {0.0, 1.0})
    testing::check_op({.title = is_due == 0 ? "waits" : "is due",
                       .op = accumulated.sum.value().node->op,
                       .inputs = {spec, spec, {}},
                       .ranges = {{-2, 2}, {-2, 2}, {is_due, is_due}},
                       .check_gradient = false});
  EXPECT_THROW(accumulate_gradient(scalar(1), placeholder(spec), 1, scalar(1)), InvalidArgument);
}

TEST(WholeQuotient, CountsExactlyWhereFloatsCannot) {
  const int64_t counts[] = {0, 2, 3, 4, (int64_t{1} << 40) + 5};
  EXPECT_EQ(whole_quotient(constant(counts, {5}), 3).to_vector<int64_t>(),
            (std::vector<int64_t>{0, 0, 1, 1, ((int64_t{1} << 40) + 5) / 3}));
  EXPECT_THROW(whole_quotient(constant(counts, {5}), 0), InvalidArgument);
  EXPECT_THROW(whole_quotient(scalar(1), 2), InvalidArgument);
  testing::check_op({.title = "whole_quotient",
                     .op = whole_quotient(scalar(7, DType::int64), 3).value().node->op,
                     .inputs = {{DType::int64, {4, 5}}},
                     .ranges = {{0, 100}},
                     .check_gradient = false});
}

TEST(Update, RefusesWhatDoesNotFitTheWeight) {
  const Tensor w = placeholder({{}, {3, 4}}), other = placeholder({{}, {4, 3}});
  const UpdateScalars plain = scalars({});
  EXPECT_THAT([&] { sgd_update(w, other, {}, plain, 0, false); },
              ThrowsMessage<InvalidArgument>(HasSubstr("the gradient must be float32 (3, 4)")));
  EXPECT_THAT([&] { sgd_update(w, w, {}, plain, 0.9, false); },
              ThrowsMessage<InvalidArgument>(HasSubstr("expected 1 slots, found 0")));
  EXPECT_THROW(adam_update(w, w, {w, other}, plain, 0.9, 0.999, 1e-7, false), InvalidArgument);
  EXPECT_THROW(sgd_update(w, w, {}, {.learning_rate = w}, 0, false), InvalidArgument);
}

}  // namespace
}  // namespace plimsoll
