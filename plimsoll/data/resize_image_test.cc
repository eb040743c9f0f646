#include "plimsoll/data/resize_image.h"

#include <gtest/gtest.h>

#include "tests/support/golden.h"

namespace plimsoll {
namespace {

TEST(ResizeImage, AgreesWithTensorFlow) {
  int count = 0;
  for (const testing::GoldenCase& golden : testing::read_goldens("images")) {
    if (!golden.has_tensor("resized")) continue;
    const Shape from = golden.tensor("image").shape(), to = golden.tensor("resized").shape();
    const auto& pixels = golden.values("image");
    Image image{from[0], from[1], from[2], {}};
    for (double pixel : pixels) image.pixels.push_back(static_cast<uint8_t>(pixel));
    std::vector<float> resized(static_cast<size_t>(to.elements()));
    resize_bilinear(image, to[0], to[1], resized.data());
    expect_golden(golden, "resized", std::vector<double>(resized.begin(), resized.end()), 1e-6);
    ++count;
  }
  EXPECT_EQ(count, 5);
}

}  // namespace
}  // namespace plimsoll
