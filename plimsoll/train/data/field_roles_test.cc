#include "plimsoll/train/data/field_roles.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/error.h"
#include "tests/support/messages.h"

namespace plimsoll {
namespace {

using ::testing::ElementsAre;
using testing::message_of;

const Spec kNumber{DType::float32, {}};
const Spec kSteps{DType::float32, {4}};

ModelSides two_of_each() {
  return {.owner = "net",
          .inputs = {"left", "right"},
          .outputs = {"kind", "area"},
          .needs_target = {true, true}};
}

FieldRoles roles(int fields, const FieldMeaning& meaning, const ModelSides& sides = two_of_each(),
                 const Spec& spec = kNumber) {
  return roles_of(Specs(static_cast<size_t>(fields), spec), meaning, sides);
}

TEST(FieldRoles, ComeInTheModelsOrder) {
  const FieldRoles found = roles(4, {});
  EXPECT_THAT(found.inputs, ElementsAre(0, 1));
  EXPECT_THAT(found.targets, ElementsAre(2, 3));
  EXPECT_THAT(found.weights, ElementsAre(-1, -1));
}

TEST(FieldRoles, AreFoundByName) {
  const FieldRoles found =
      roles(6, {.names = {"right", "left", "area", "kind", "area", "kind"}, .sample_weights = 2});
  EXPECT_THAT(found.inputs, ElementsAre(1, 0));
  EXPECT_THAT(found.targets, ElementsAre(3, 2));
  EXPECT_THAT(found.weights, ElementsAre(5, 4));
  const FieldRoles mixed =
      roles(4, {.names = {"", "", "area", "kind"}, .targets = 2, .sample_weights = 0});
  EXPECT_THAT(mixed.inputs, ElementsAre(0, 1));
  EXPECT_THAT(mixed.targets, ElementsAre(3, 2));
}

TEST(FieldRoles, OneWeightServesAllOutputsAndOneEachIsToldApart) {
  EXPECT_THAT(roles(5, {.sample_weights = 1}).weights, ElementsAre(4, 4));
  EXPECT_THAT(roles(6, {.sample_weights = 2}).weights, ElementsAre(4, 5));
  EXPECT_EQ(message_of([] { roles(5, {.sample_weights = 1}, two_of_each(), kSteps); }),
            "net: expected a sample_weight of one number per sample, or one tensor for each of the "
            "outputs kind, area; found 1, the first of shape (4,) per sample");
}

TEST(FieldRoles, AnOutputWithoutALossNeedsNoTarget) {
  ModelSides sides = two_of_each();
  sides.needs_target = {false, true};
  EXPECT_THAT(roles(3, {}, sides).targets, ElementsAre(-1, 2));
  EXPECT_THAT(roles(4, {}, sides).targets, ElementsAre(2, 3));
  EXPECT_THAT(roles(3, {.names = {"left", "right", "area"}}, sides).targets, ElementsAre(-1, 2));
}

TEST(FieldRoles, SayWhatIsMissingOrTooMuch) {
  EXPECT_EQ(message_of([] { roles(1, {}); }), "net: expected 2 input(s) (left, right), found 1");
  EXPECT_EQ(message_of([] { roles(5, {.targets = 2}); }),
            "net: expected 2 input(s) (left, right), found 3");
  EXPECT_EQ(message_of([] { roles(5, {}); }),
            "net: expected one target for each of the outputs kind, area, found 3");
  EXPECT_EQ(message_of([] {
              roles(4, {.names = {"left", "up", "kind", "area"}});
            }),
            "net: the data has 'up', which is no input of the model (it has left, right)");
  EXPECT_EQ(message_of([] {
              roles(3, {.names = {"left", "right", "kind"}});
            }),
            "net: the data has no target 'area' (found kind)");
}

TEST(FieldRoles, ForAPredictionTheInputsAreEnough) {
  const Specs fields(4, kNumber);
  EXPECT_THAT(input_roles(fields, {}, two_of_each()).inputs, ElementsAre(0, 1));
  EXPECT_THAT(
      input_roles(fields, {.names = {"right", "left", "kind", "area"}}, two_of_each()).inputs,
      ElementsAre(1, 0));
}

}  // namespace
}  // namespace plimsoll
