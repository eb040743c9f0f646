#include "plimsoll/train/data/record_specs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/nn/nn.h"
#include "tests/support/messages.h"

namespace plimsoll {
namespace {

using ::testing::HasSubstr;
using testing::message_of;

TEST(RecordSpecs, AreKnownFromTheModel) {
  Sequential model({InputLayer({.shape = {28, 28, 1}, .dtype = DType::uint8}), Flatten(),
                    Dense({.units = 10, .activation = "softmax"})});
  model.compile({.loss = "sparse_categorical_crossentropy"});
  EXPECT_EQ(record_specs(model, {}), (Specs{{DType::uint8, {28, 28, 1}}, {DType::int32, {}}}));
  model.compile({.loss = "mse"});
  EXPECT_EQ(record_specs(model, {})[1], (Spec{DType::float32, {10}}));
}

TEST(RecordSpecs, AskForShapesThatAreOpen) {
  Sequential model({InputLayer({.shape = {kUnknown, kUnknown, 3}, .name = "photo"}),
                    Conv2D({.filters = 2, .kernel_size = {3, 3}})});
  model.compile({.loss = "mse"});
  EXPECT_EQ(message_of([&] { record_specs(model, {}); }),
            "input 'photo': its shape (None, None, 3) is open; choose one with --input-shape");
  const Specs specs = record_specs(model, {{"", {8, 9, 3}}});
  EXPECT_EQ(specs, (Specs{{DType::float32, {8, 9, 3}}, {DType::float32, {6, 7, 2}}}));
  EXPECT_EQ(record_specs(model, {{"photo", {8, 9, 3}}}), specs);
  EXPECT_THAT(message_of([&] {
                record_specs(model, {{"", {8, 9, 1}}});
              }),
              HasSubstr("expected a shape that fits (None, None, 3), found (8, 9, 1)"));
  EXPECT_THAT(message_of([&] {
                record_specs(model, {{"sound", {8}}});
              }),
              HasSubstr("has no input 'sound'"));
}

TEST(RecordSpecs, HaveNoTargetForAnOutputWithoutALoss) {
  const Tensor x = Input({.shape = {4}});
  Model model({x}, {Dense({.units = 2, .name = "a"})(x), Dense({.units = 3, .name = "b"})(x)});
  model.compile({.loss = {{"b", "mse"}}});
  EXPECT_EQ(record_specs(model, {}), (Specs{{DType::float32, {4}}, {DType::float32, {3}}}));
}

}  // namespace
}  // namespace plimsoll
