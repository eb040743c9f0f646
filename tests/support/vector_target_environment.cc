// Tests that call kernels without a step keep to PLIMSOLL_VECTOR_TARGET as well.
#include <gtest/gtest.h>

#include <memory>

#include "plimsoll/kernels/vector_target.h"

namespace plimsoll {
namespace {

class VectorTargetEnvironment final : public ::testing::Environment {
 public:
  void SetUp() override { kernels::limit_vector_target(); }
};

// GoogleTest owns it.
[[maybe_unused]] const ::testing::Environment* const registered =
    ::testing::AddGlobalTestEnvironment(std::make_unique<VectorTargetEnvironment>().release());

}  // namespace
}  // namespace plimsoll
