#include "plimsoll/data/sources/generator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "plimsoll/base/error.h"
#include "plimsoll/data/loader/loader.h"

namespace plimsoll {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

const Specs kFields = {{DType::float32, {2}}, {DType::int32, {}}};

TEST(Generator, MakesEachRecordWhenItIsAskedFor) {
  int64_t made = 0;
  const SourcePtr source =
      from_generator(kFields, 1'000'000'000, [&](int64_t record, const RecordWriter& into) {
        ++made;
        into.field<float>(0)[0] = static_cast<float>(record);
        into.field<float>(0)[1] = 0.5f;
        into.field<int32_t>(1)[0] = static_cast<int32_t>(record % 10);
      });
  Loader batches(source, 4);
  batches.start({.row = 12, .place = 12});
  EXPECT_EQ(made, 0);
  batches.begin_batch();
  batches.load();
  EXPECT_EQ(made, 4);
  const auto* x = reinterpret_cast<const float*>(batches.field(0));
  const auto* y = reinterpret_cast<const int32_t*>(batches.field(1));
  EXPECT_EQ(x[2], 13.0f);
  EXPECT_EQ(x[3], 0.5f);
  EXPECT_EQ(y[3], 5);
}

TEST(Generator, SaysWhatAFieldIs) {
  const SourcePtr wrong_type = from_generator(
      kFields, 1, [](int64_t, const RecordWriter& into) { into.field<float>(1)[0] = 1; });
  const SourcePtr no_field = from_generator(
      kFields, 1, [](int64_t, const RecordWriter& into) { into.field<float>(2)[0] = 1; });
  float room[2];
  std::byte* const into[] = {reinterpret_cast<std::byte*>(room),
                             reinterpret_cast<std::byte*>(room)};
  EXPECT_THAT([&] { wrong_type->read(0, into); },
              ThrowsMessage<InvalidArgument>("generator: field 1 holds int32, not float32"));
  EXPECT_THAT([&] { no_field->read(0, into); },
              ThrowsMessage<InvalidArgument>(HasSubstr("there is no field 2")));
  EXPECT_THROW(from_generator(kFields, 0, [](int64_t, const RecordWriter&) {}), InvalidArgument);
  EXPECT_THROW(from_generator({}, 1, [](int64_t, const RecordWriter&) {}), InvalidArgument);
  EXPECT_THROW(from_generator(kFields, 1, {}), InvalidArgument);
}

}  // namespace
}  // namespace plimsoll
