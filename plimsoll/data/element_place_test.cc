#include "plimsoll/data/element_place.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TEST(ElementPlace, SaysWhereANumberIs) {
  EXPECT_EQ(element_place("x", {DType::float32, {}}, 0), "'x'");
  EXPECT_EQ(element_place("x", {DType::float32, {1}}, 0), "'x'");
  EXPECT_EQ(element_place("x", {DType::float32, {5}}, 3), "column 3 of 'x'");
  EXPECT_EQ(element_place("x", {DType::float32, {4, 5, 3}}, 3 * 15 + 3 * 3 + 1),
            "'x' at (3, 3, 1)");
}

}  // namespace
}  // namespace plimsoll
