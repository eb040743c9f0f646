#include "plimsoll/train/data/reading_options.h"

#include <gtest/gtest.h>

#include "plimsoll/base/error.h"
#include "plimsoll/base/threads.h"
#include "plimsoll/data/sources/generator.h"

namespace plimsoll {
namespace {

constexpr int64_t kMiB = 1 << 20;

// Records of a quarter of a MiB.
SourcePtr records() {
  return from_generator({{DType::float32, {1 << 16}}}, 1000, [](int64_t, const RecordWriter&) {});
}

int windows_for(int64_t window_records, int64_t ahead_bytes) {
  return loader_options(*records(), window_records, {}, {.ahead_bytes = ahead_bytes}).windows;
}

TEST(ReadingOptions, ReadAheadWithinTheirShare) {
  EXPECT_EQ(windows_for(4, 100 * kMiB), 4);  // windows of a MiB, no more than three ahead
  EXPECT_EQ(windows_for(4, 5 * kMiB / 2), 3);
  EXPECT_EQ(windows_for(4, kMiB / 2), 1);       // none ahead
  EXPECT_EQ(windows_for(128, 1000 * kMiB), 2);  // of 32 MiB each: 64 MiB are enough
  EXPECT_EQ(windows_for(400, 1000 * kMiB), 2);  // of 100 MiB: one ahead
  EXPECT_EQ(windows_for(400, 99 * kMiB), 1);
}

TEST(ReadingOptions, LeaveDataInMemoryToTheThreadThatComputes) {
  const HostTensor x{{DType::float32, {8}}, std::make_shared<Storage>(32)};
  const LoaderOptions options = loader_options(*from_tensor_slices({x}), 4, {}, {});
  EXPECT_EQ(options.workers, 0);
  EXPECT_EQ(options.windows, 1);
  EXPECT_EQ(loader_options(*records(), 4, {}, {}).workers, thread_count());
  EXPECT_EQ(loader_options(*records(), 4, {}, {.workers = 0}).windows, 1);
  EXPECT_THROW(loader_options(*records(), 4, {}, {.workers = -1}), InvalidArgument);
}

}  // namespace
}  // namespace plimsoll
