#include "plimsoll/data/sources/npz_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>

#include "plimsoll/base/error.h"
#include "plimsoll/data/loader/loader.h"
#include "plimsoll/formats/numpy/npy_writer.h"
#include "tests/support/golden.h"
#include "tests/support/messages.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

using ::testing::HasSubstr;
using testing::message_of;

std::string write_golden(const TemporaryFolder& folder, const std::string& name) {
  const std::string path = folder.path(name);
  std::ofstream(path, std::ios::binary) << testing::read_golden("numpy_files", name).bytes("file");
  return path;
}

TEST(NpzSource, GivesRowsOfItsArrays) {
  const TemporaryFolder folder;
  for (const char* name : {"npz_stored", "npz_compressed"}) {
    const std::string path = write_golden(folder, name);
    const SourcePtr source = npz_source(path, {"x"}, {"y"});
    ASSERT_EQ(source->size(), 6);
    EXPECT_EQ(source->fields(), (Specs{{DType::float32, {2}}, {DType::int64, {}}}));
    EXPECT_EQ(source->name(4), path + "[4]");
    const auto golden = testing::read_golden("numpy_files", name);
    float x[2];
    int64_t y = 0;
    std::byte* const into[] = {reinterpret_cast<std::byte*>(x), reinterpret_cast<std::byte*>(&y)};
    source->read(4, into);
    EXPECT_EQ(x[1], static_cast<float>(golden.values("x")[9]));
    EXPECT_EQ(static_cast<double>(y), golden.values("y")[4]);
  }
}

TEST(NpzSource, GivesTheSameBatchesInOneReadAsRecordByRecord) {
  const TemporaryFolder folder;
  const SourcePtr source = npz_source(write_golden(folder, "npz_stored"), {"x"}, {"y"});
  Loader batches(source, 4);
  batches.start({.row = 4, .place = 4});
  batches.begin_batch();
  batches.load();
  float x[2];
  int64_t y = 0;
  std::byte* const into[] = {reinterpret_cast<std::byte*>(x), reinterpret_cast<std::byte*>(&y)};
  source->read(5, into);
  EXPECT_EQ(std::memcmp(batches.field(0) + sizeof x, x, sizeof x), 0);
  EXPECT_EQ(std::memcmp(batches.field(1) + sizeof y, &y, sizeof y), 0);
}

TEST(NpzSource, RefusesArraysThatDoNotFitTogether) {
  const TemporaryFolder folder;
  const std::string path = write_golden(folder, "npz_stored");
  EXPECT_THAT(message_of([&] { npz_source(path, {"images"}, {"y"}); }),
              HasSubstr("expected an array 'images', found x, y"));
  EXPECT_THAT(message_of([&] { npz_source(path, {}, {}); }), HasSubstr("at least one array"));
}

TEST(NpySource, ReadsFortranOrderByRows) {
  const TemporaryFolder folder;
  std::vector<Finding> findings;
  const NpzOptions options{.folder = folder.path().string(),
                           .announce = [&](const Finding& f) { findings.push_back(f); }};
  const SourcePtr source = npy_source(write_golden(folder, "npy_fortran"), options);
  float row[3];
  std::byte* const into[] = {reinterpret_cast<std::byte*>(row)};
  source->read(2, into);
  EXPECT_EQ(row[1], static_cast<float>(
                        testing::read_golden("numpy_files", "npy_fortran").values("array")[7]));
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_THAT(findings[0].what, HasSubstr("Fortran order"));
}

TEST(NpySource, RefusesAScalar) {
  const TemporaryFolder folder;
  EXPECT_THAT(message_of([&] { npy_source(write_golden(folder, "npy_scalar")); }),
              HasSubstr("is a single number"));
}

}  // namespace
}  // namespace plimsoll
