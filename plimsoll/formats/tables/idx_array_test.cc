#include "plimsoll/formats/tables/idx_array.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <fstream>

#include "plimsoll/base/error.h"
#include "tests/support/damage.h"
#include "tests/support/messages.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::message_of;

// Three rows of two big-endian numbers: 1 2, 3 4, 5 6.
const std::string kNumbers{0, 0, 12, 2, 0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0,
                           0, 2, 0,  0, 0, 3, 0, 0, 0, 4, 0, 0, 0, 5, 0, 0, 0, 6};

std::vector<int32_t> rows_of(const IdxArray& array, int64_t first, int64_t count) {
  std::vector<int32_t> numbers(static_cast<size_t>(count * 2));
  array.read_rows(first, count, reinterpret_cast<std::byte*>(numbers.data()));
  return numbers;
}

TEST(IdxArray, ReadsRowsFromTheirPlaces) {
  const IdxArray array(memory_source("a.idx", to_bytes(kNumbers)));
  EXPECT_EQ(array.spec(), (Spec{DType::int32, {3, 2}}));
  EXPECT_THAT(rows_of(array, 1, 2), ElementsAre(3, 4, 5, 6));
  EXPECT_THAT(rows_of(array, 0, 1), ElementsAre(1, 2));
}

TEST(IdxArray, ExpandsACompressedFileOnce) {
  const TemporaryFolder folder;
  const std::string path = folder.path("a.idx.gz");
  gzFile out = gzopen(path.c_str(), "wb");
  gzwrite(out, kNumbers.data(), static_cast<unsigned>(kNumbers.size()));
  gzclose(out);
  std::vector<Finding> findings;
  const IdxOptions options{.folder = folder.path().string(),
                           .announce = [&](const Finding& f) { findings.push_back(f); }};
  const IdxArray array(path, options);
  EXPECT_THAT(rows_of(array, 2, 1), ElementsAre(5, 6));
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_THAT(findings[0].what, HasSubstr("is compressed; it is written out once, 36 B in"));
  EXPECT_EQ(folder.count(), 1u);  // the expanded file has no name
}

TEST(IdxArray, HoldsAFileToItsHeader) {
  const auto open = [](const std::string& bytes, int64_t most = 1 << 20) {
    return message_of([&] { IdxArray(memory_source("a.idx", to_bytes(bytes)), most); });
  };
  EXPECT_THAT(
      open(kNumbers.substr(0, 30)),
      HasSubstr("a.idx: its header describes int32 (3, 2), which takes 24 bytes, found 18"));
  EXPECT_THAT(open(kNumbers + "x"), HasSubstr("found 25"));
  EXPECT_THAT(open(kNumbers, 20), HasSubstr("describes more than 20 B"));
  EXPECT_THAT(open("no"), HasSubstr("ends inside the magic number"));
  std::string empty = kNumbers.substr(0, 12);
  empty[7] = 0;
  EXPECT_THAT(open(empty), HasSubstr("has no element"));
}

TEST(IdxArray, RefusesACompressedFileThatHoldsMoreThanItSays) {
  const TemporaryFolder folder;
  const std::string path = folder.path("a.idx.gz");
  const std::string bytes = kNumbers + std::string(5'000'000, 'x');
  gzFile out = gzopen(path.c_str(), "wb");
  gzwrite(out, bytes.data(), static_cast<unsigned>(bytes.size()));
  gzclose(out);
  EXPECT_THAT(message_of([&] { IdxArray array(path); }), HasSubstr("takes 24 bytes"));
}

}  // namespace
}  // namespace plimsoll
