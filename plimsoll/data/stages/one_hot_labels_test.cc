#include "plimsoll/data/stages/one_hot_labels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "plimsoll/base/error.h"
#include "tests/support/messages.h"

namespace plimsoll {
namespace {

using ::testing::ElementsAre;
using testing::message_of;

SourcePtr labels(std::vector<int32_t> values) {
  const auto size = static_cast<int64_t>(values.size());
  HostTensor y{{DType::int32, {size}}, std::make_shared<Storage>(4 * size)};
  std::memcpy(y.storage->data(), values.data(), values.size() * 4);
  return from_tensor_slices({y});
}

TEST(OneHotLabels, PutsAOneAmongZeros) {
  const SourcePtr source = one_hot_labels(labels({2, 0}), 0, 3);
  EXPECT_EQ(source->fields(), (Specs{{DType::float32, {3}}}));
  std::vector<float> vector(3, 7);
  std::byte* const into[] = {reinterpret_cast<std::byte*>(vector.data())};
  source->read(0, into);
  EXPECT_THAT(vector, ElementsAre(0, 0, 1));
  source->read(1, into);
  EXPECT_THAT(vector, ElementsAre(1, 0, 0));
}

TEST(OneHotLabels, NamesARecordWhoseLabelIsNoClass) {
  const SourcePtr source = one_hot_labels(labels({0, 3}), 0, 3);
  std::vector<float> vector(3);
  std::byte* const into[] = {reinterpret_cast<std::byte*>(vector.data())};
  EXPECT_EQ(message_of([&] { source->read(1, into); }),
            "1: the label is 3, expected a whole number from 0 to 2");
}

}  // namespace
}  // namespace plimsoll
