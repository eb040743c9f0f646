#include "plimsoll/nn/weights/initializer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "plimsoll/base/threads.h"
#include "tests/support/golden.h"
#include "tests/support/messages.h"

namespace plimsoll {
namespace {

using testing::GoldenCase;
using testing::message_of;

void check_moments(const GoldenCase& golden, const std::vector<float>& values) {
  const auto size = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / size;
  double squares = 0, largest = 0;
  for (const float value : values) {
    squares += (value - mean) * (value - mean);
    largest = std::max(largest, std::abs(static_cast<double>(value)));
  }
  const double stddev = golden.number("stddev", 0);
  const double within = 6 / std::sqrt(size);
  EXPECT_LT(std::abs(mean), within * stddev);
  EXPECT_NEAR(std::sqrt(squares / size) / stddev, 1, within);
  if (!golden.has("limit")) return;
  EXPECT_LE(largest, golden.number("limit", 0) * (1 + 1e-6));
  EXPECT_GT(largest, golden.number("limit", 0) * 0.9);
}

// The shorter side is orthonormal, times the gain.
void check_orthogonal(const GoldenCase& golden, const std::vector<float>& values) {
  const auto rows = static_cast<size_t>(golden.number("rows", 0));
  const auto columns = static_cast<size_t>(golden.number("columns", 0));
  const double gain = golden.number("gain", 1);
  const bool tall = rows >= columns;
  const auto at = [&](size_t vector, size_t i) {
    return static_cast<double>(tall ? values[i * columns + vector] : values[vector * columns + i]);
  };
  for (size_t a = 0; a < std::min(rows, columns); ++a)
    for (size_t b = 0; b <= a; ++b) {
      double product = 0;
      for (size_t i = 0; i < std::max(rows, columns); ++i) product += at(a, i) * at(b, i);
      EXPECT_NEAR(product, a == b ? gain * gain : 0, 1e-5 * gain * gain) << a << ", " << b;
    }
}

TEST(Initializer, HasTheMomentsAndBoundsOfKeras) {
  for (const GoldenCase& golden : testing::read_goldens("initializers")) {
    SCOPED_TRACE(golden.name());
    const std::string kind = golden.text("initializer");
    const Shape shape(golden.numbers("shape"));
    if (golden.has_tensor("value")) {
      testing::expect_golden(golden, "value",
                             Tensor(constant(Initializer(kind).values({2, 3}, 1, "w"), {2, 3})));
    } else if (kind == "Orthogonal") {
      check_orthogonal(golden,
                       Orthogonal({.gain = golden.number("gain", 1)}).values(shape, 1, "w"));
    } else {
      check_moments(golden, Initializer(kind).values(shape, 1, "dense/kernel"));
    }
  }
}

TEST(Initializer, DrawsByItsOptions) {
  for (const float value : RandomUniform({.minval = 2, .maxval = 3}).values({1000}, 1, "w")) {
    EXPECT_GE(value, 2);
    EXPECT_LT(value, 3);
  }
  EXPECT_EQ(Constant({.value = 0.5}).values({2}, 1, "w"), (std::vector{0.5f, 0.5f}));
  const auto scaled = VarianceScaling({.scale = 3, .mode = "fan_out", .distribution = "uniform"});
  const std::vector<float> drawn = scaled.values({10, 900}, 1, "w");
  EXPECT_LE(*std::ranges::max_element(drawn), 0.1f);
  EXPECT_GT(*std::ranges::max_element(drawn), 0.099f);
}

TEST(Initializer, DependsOnSeedAndPathAlone) {
  const Initializer he("he_normal");
  const std::vector<float> values = he.values({50, 60}, 7, "a/kernel");
  EXPECT_EQ(values, he.values({50, 60}, 7, "a/kernel"));
  EXPECT_NE(values, he.values({50, 60}, 8, "a/kernel"));
  EXPECT_NE(values, he.values({50, 60}, 7, "b/kernel"));
  const Initializer own = HeNormal({.seed = 3});
  EXPECT_EQ(own.values({5, 6}, 7, "a"), own.values({5, 6}, 8, "b"));
}

TEST(Initializer, DrawsTheSameOnAnyNumberOfThreads) {
  const int before = thread_count();
  for (const char* name : {"glorot_uniform", "random_normal", "lecun_normal", "orthogonal"}) {
    set_thread_count(1);
    const std::vector<float> alone = Initializer(name).values({300, 111}, 1, "w");
    set_thread_count(3);
    EXPECT_EQ(alone, Initializer(name).values({300, 111}, 1, "w")) << name;
  }
  set_thread_count(before);
}

TEST(Initializer, OfIdentityIsAGainOnTheDiagonal) {
  EXPECT_EQ(IdentityInitializer({.gain = 2}).values({2, 3}, 1, "w"),
            (std::vector<float>{2, 0, 0, 0, 2, 0}));
  EXPECT_EQ(message_of([] { Initializer("identity").values({3}, 1, "w"); }),
            "initializer: identity wants a weight of rank 2, found (3,)");
}

TEST(Initializer, RefusesWhatItDoesNotKnow) {
  EXPECT_EQ(message_of([] { Initializer("glorot"); }),
            "initializer: 'glorot' is not known (known: zeros, ones, constant, random_normal, "
            "truncated_normal, random_uniform, variance_scaling, glorot_uniform, glorot_normal, "
            "he_uniform, he_normal, lecun_uniform, lecun_normal, orthogonal, identity)");
  EXPECT_EQ(message_of([] { Initializer("orthogonal").values({3}, 1, "w"); }),
            "initializer: orthogonal wants a weight of rank 2 or more, found (3,)");
  EXPECT_EQ(message_of([] { VarianceScaling({.mode = "fan"}); }),
            "initializer: variance_scaling: mode 'fan' is not known (known: fan_in, fan_out, "
            "fan_avg)");
}

}  // namespace
}  // namespace plimsoll
