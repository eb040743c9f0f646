#include "plimsoll/graph/place.h"

#include <gtest/gtest.h>

#include <string>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/graph/operand.h"
#include "plimsoll/ops/ops.h"

namespace plimsoll {
namespace {

Place place_of_call(Place where = Place::here()) {
  return where;
}

TEST(Place, AsADefaultArgumentIsTheCallersLine) {
  const Place here = place_of_call();
  EXPECT_EQ(here.line, static_cast<unsigned>(__LINE__ - 1));
  EXPECT_EQ(here.to_string(), "place_test.cc:" + std::to_string(__LINE__ - 2));
}

TEST(Place, OfAnOperatorIsTheLineOfItsOperands) {
  const Tensor sum = scalar(1) + 2;
  EXPECT_EQ(sum.value().node->where.line, static_cast<unsigned>(__LINE__ - 1));
}

TEST(Place, OfAnotherLanguageOutlivesTheTextItWasGiven) {
  std::string file = "/home/someone/train.py";
  const Place place = Place::at(file, 7);
  file.assign(file.size(), 'x');
  EXPECT_EQ(place.to_string(), "train.py:7");
  EXPECT_EQ(place.file, Place::at("/home/someone/train.py", 9).file) << "kept once";
}

// This test lies beside the sources of the library.
TEST(Place, IsInTheProgramUnlessItIsInTheLibrary) {
  EXPECT_TRUE(Place::at("/home/someone/train.py", 7).is_in_program());
  EXPECT_FALSE(place_of_call().is_in_program());
  EXPECT_FALSE(Place().is_in_program());
}

TEST(Place, OfAnotherLanguageIsNamedByErrors) {
  const Tensor x = scalar(1);
  try {
    matmul({x, Place::at("train.py", 3)}, x);
    FAIL() << "expected an error";
  } catch (const InvalidArgument& error) {
    EXPECT_NE(std::string(error.what()).find("at train.py:3"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace plimsoll
