#include "plimsoll/formats/tensorflow/tfrecord.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/error.h"
#include "tests/support/damage.h"
#include "tests/support/golden.h"
#include "tests/support/messages.h"

namespace plimsoll {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::message_of;

std::string record(const std::string& data) {
  return tfrecord_of(std::as_bytes(std::span(data)));
}

std::vector<int64_t> offsets_in(const std::string& bytes, const TfRecordLimits& limits = {}) {
  std::vector<int64_t> offsets;
  index_tfrecords(
      *memory_source("a.tfrecord", to_bytes(bytes)),
      [&](int64_t offset) { offsets.push_back(offset); }, limits);
  return offsets;
}

// Reads every record, as a source does.
std::vector<std::string> contents_of(const std::string& bytes) {
  std::vector<int64_t> offsets = offsets_in(bytes);
  offsets.push_back(static_cast<int64_t>(bytes.size()));
  std::vector<std::string> contents;
  for (size_t i = 0; i + 1 < offsets.size(); ++i) {
    const auto begin = static_cast<size_t>(offsets[i]);
    const auto part =
        std::as_bytes(std::span(bytes)).subspan(begin, static_cast<size_t>(offsets[i + 1]) - begin);
    const auto data = tfrecord_data(part, "a.tfrecord");
    contents.emplace_back(reinterpret_cast<const char*>(data.data()), data.size());
  }
  return contents;
}

TEST(TfRecord, FindsTheRecordsThatTensorFlowWrote) {
  const auto golden = testing::read_golden("record_files", "tfrecord");
  const auto contents = contents_of(golden.bytes("file"));
  ASSERT_EQ(contents.size(), 5u);
  for (const std::string& data : contents) EXPECT_THAT(data, HasSubstr("a text of no use"));
}

TEST(TfRecord, WritesAsTensorFlowDoes) {
  const std::string bytes = testing::read_golden("record_files", "tfrecord").bytes("file");
  std::string again;
  for (const std::string& data : contents_of(bytes)) again += record(data);
  EXPECT_EQ(again, bytes);
}

TEST(TfRecord, FindsRecordsOfAllSizes) {
  std::string bytes;
  std::vector<std::string> expected;
  for (const size_t size : {0, 1, 20'000, 3, 300'000, 17, 16'384, 70'000, 5}) {
    expected.emplace_back(size, static_cast<char>('a' + size % 26));
    bytes += record(expected.back());
  }
  EXPECT_EQ(contents_of(bytes), expected);
  EXPECT_TRUE(offsets_in("").empty());
}

TEST(TfRecord, RefusesCompressedFiles) {
  for (const auto& [name, kind] : {std::pair{"tfrecord_gzip", "GZIP"}, {"tfrecord_zlib", "ZLIB"}})
    EXPECT_THAT(
        message_of([&] { offsets_in(testing::read_golden("record_files", name).bytes("file")); }),
        HasSubstr(std::string("a.tfrecord: is compressed (") + kind + ")"));
}

TEST(TfRecord, NamesTheRecordThatIsDamaged) {
  const std::string good = record("first") + record("second") + record("third");
  std::string bytes = good;
  bytes[22] ^= 1;  // the length of the second
  EXPECT_THAT(message_of([&] { offsets_in(bytes); }),
              HasSubstr("a.tfrecord: record 1 at byte 21 has a length whose checksum is wrong"));
  EXPECT_THAT(message_of([&] { offsets_in(good.substr(0, good.size() - 3)); }),
              HasSubstr("record 2 at byte 43 is cut off: expected 5 bytes of data, found 2"));
  EXPECT_THAT(message_of([&] { offsets_in(good.substr(0, 50)); }),
              HasSubstr("record 2 at byte 43 is cut off: expected 12 bytes for its length"));
  EXPECT_THAT(message_of([&] { offsets_in(good, {.record_bytes = 5}); }),
              HasSubstr("record 1 at byte 21 is said to have 6 bytes, at most 5 B are read"));
  EXPECT_THAT(message_of([&] { offsets_in("this is a text file"); }),
              HasSubstr("is not a TFRecord file"));
  bytes = good;
  bytes[14] ^= 1;
  EXPECT_THAT(message_of([&] { contents_of(bytes); }),
              HasSubstr("the data of the record is damaged (its checksum is wrong)"));
}

// A bit that flips anywhere is noticed: every byte is under one of the two checksums.
TEST(TfRecord, NoticesEveryFlippedBit) {
  const std::string good = record("first") + record("second");
  for (size_t bit = 0; bit < good.size() * 8; ++bit) {
    std::string bytes = good;
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ 1 << bit % 8);
    EXPECT_THROW(contents_of(bytes), CorruptFile) << bit;
  }
}

}  // namespace
}  // namespace plimsoll
