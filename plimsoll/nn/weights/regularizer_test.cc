#include "plimsoll/nn/weights/regularizer.h"

#include <gtest/gtest.h>

#include <array>

#include "plimsoll/graph/gradient.h"
#include "tests/support/golden.h"
#include "tests/support/messages.h"

namespace plimsoll {
namespace {

using testing::expect_golden;
using testing::GoldenCase;
using testing::message_of;

Regularizer make(const GoldenCase& golden) {
  const std::string kind = golden.text("regularizer");
  if (kind == "L1") return golden.has("l1") ? L1(golden.number("l1", 0)) : L1();
  if (kind == "OrthogonalRegularizer")
    return OrthogonalRegularizer(
        {golden.number("factor", 0.01), golden.has("mode") ? golden.text("mode") : "rows"});
  if (kind == "L2") return golden.has("l2") ? L2(golden.number("l2", 0)) : L2();
  return L1L2({.l1 = golden.number("l1", 0), .l2 = golden.number("l2", 0)});
}

TEST(Regularizer, AgreesWithKeras) {
  for (const GoldenCase& golden : testing::read_goldens("regularizers")) {
    SCOPED_TRACE(golden.name());
    const Regularizer regularizer = make(golden);
    const Tensor w = golden.tensor("w");
    const Tensor penalty = regularizer(w);
    const Tensor dw = gradients(penalty, std::array{w})[0];
    expect_golden(golden, "penalty", penalty);
    if (regularizer) expect_golden(golden, "dw", dw);
  }
}

TEST(Regularizer, IsFoundByNameWithKerasFactors) {
  EXPECT_EQ(Regularizer("l1").l1(), 0.01);
  EXPECT_EQ(Regularizer("l2").l2(), 0.01);
  EXPECT_EQ(Regularizer("l1_l2").l1(), 0.01);
  EXPECT_FALSE(Regularizer(""));
  EXPECT_EQ(message_of([] { Regularizer("l3"); }),
            "regularizer: 'l3' is not known (did you mean l1?; known: l1, l2, l1_l2, "
            "orthogonal_regularizer)");
  EXPECT_EQ(message_of([] { L2(-1); }),
            "regularizer: l2 must be a finite number, not negative; found -1");
}

}  // namespace
}  // namespace plimsoll
