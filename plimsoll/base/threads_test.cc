#include "plimsoll/base/threads.h"

#include <gtest/gtest.h>

#include <atomic>
#include <vector>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

TEST(ParallelFor, VisitsEachIndexOnce) {
  for (int64_t size : {0, 1, 7, 64, 1001}) {
    for (int64_t grain : {1, 3, 64, 5000}) {
      std::vector<std::atomic<int>> visits(static_cast<size_t>(size));
      parallel_for(size, grain, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) ++visits[static_cast<size_t>(i)];
      });
      for (auto& count : visits) EXPECT_EQ(count, 1) << "size " << size << " grain " << grain;
    }
  }
}

TEST(Threads, RefusesACountThatCannotWork) {
  EXPECT_THROW(set_thread_count(0), InvalidArgument);
  EXPECT_THROW(set_thread_count(5000), InvalidArgument);
}

}  // namespace
}  // namespace plimsoll
