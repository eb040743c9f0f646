#include "plimsoll/data/loader/in_chunks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

using Numbers = std::vector<int64_t>;

Numbers range(int64_t begin, int64_t end) {
  Numbers numbers(static_cast<size_t>(end - begin));
  std::iota(numbers.begin(), numbers.end(), begin);
  return numbers;
}

TEST(InChunksTest, TakesResultsInOrderWhateverTheThreads) {
  for (const int threads : {1, 2, 7}) {
    Numbers all;
    int64_t last = -1;
    InChunks<Numbers> chunks(
        1003, 10,
        [](int64_t begin, int64_t end) {
          if (begin % 40 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
          return range(begin, end);
        },
        [&](Numbers&& part) { all.insert(all.end(), part.begin(), part.end()); });
    chunks.run(threads, [&](int64_t done) {
      EXPECT_GE(done, last);
      last = done;
    });
    EXPECT_EQ(all, range(0, 1003)) << threads << " threads";
    EXPECT_EQ(last, 1003);
  }
}

TEST(InChunksTest, NothingIsToBeDone) {
  InChunks<int> chunks(
      0, 10, [](int64_t, int64_t) { return 0; }, [](int&&) { FAIL(); });
  chunks.run(2, {});
}

TEST(InChunksTest, AnErrorOfTheWorkEndsIt) {
  std::atomic<int> begun = 0;
  InChunks<int> chunks(
      1'000'000, 1,
      [&](int64_t begin, int64_t) {
        ++begun;
        if (begin == 5) throw IoError("gone");
        return 0;
      },
      [](int&&) {});
  EXPECT_THROW(chunks.run(3, {}), IoError);
  EXPECT_LT(begun, 1'000'000);
}

TEST(InChunksTest, AnErrorOfTheProgressEndsIt) {
  InChunks<int> chunks(
      1'000'000, 1,
      [&](int64_t, int64_t) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return 0;
      },
      [](int&&) {});
  EXPECT_THROW(chunks.run(2, [](int64_t) { throw IoError("stopped"); }), IoError);
}

}  // namespace
}  // namespace plimsoll
