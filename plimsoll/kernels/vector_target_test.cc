#include "plimsoll/kernels/vector_target.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "tests/support/messages.h"

namespace plimsoll::kernels {
namespace {

// Older sets first.
int order_of(std::string_view name) {
  constexpr std::string_view kNames[] = {"SCALAR", "SSE2", "SSE4", "AVX2", "AVX3"};
  return static_cast<int>(std::ranges::find(kNames, name) - std::begin(kNames));
}

// ./dev test runs this again with the variable set.
TEST(VectorTarget, IsTheOneThatTheEnvironmentNames) {
  const char* name = std::getenv("PLIMSOLL_VECTOR_TARGET");
  if (name == nullptr) GTEST_SKIP() << "PLIMSOLL_VECTOR_TARGET is not set";
  EXPECT_LE(order_of(vector_target()), order_of(name));
  // What has AVX2 has every older set; for SSE2 alone, not every version of Highway has code.
  const bool is_there = order_of(name) <= order_of("AVX2") && __builtin_cpu_supports("avx2");
  if (is_there && order_of(name) > order_of("SSE2")) {
    EXPECT_EQ(vector_target(), name);
  }
}

TEST(VectorTarget, OfAnUnknownNameIsRefused) {
  const std::string_view before = vector_target();
  EXPECT_EQ(testing::message_of([] { limit_vector_target("SSE5"); }),
            "PLIMSOLL_VECTOR_TARGET: expected SSE2, SSE4, AVX2 or AVX3, found 'SSE5'");
  EXPECT_EQ(vector_target(), before);
}

}  // namespace
}  // namespace plimsoll::kernels
