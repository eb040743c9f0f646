#include "plimsoll/data/sources/tfrecord_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <thread>

#include "plimsoll/base/error.h"
#include "plimsoll/data/sources/feature_file.h"
#include "plimsoll/data/sources/record_offsets.h"
#include "tests/support/golden.h"
#include "tests/support/messages.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

using ::testing::HasSubstr;
using testing::message_of;

constexpr int64_t kRecords = 5;

class TfRecordSource : public ::testing::Test {
 protected:
  TfRecordSource() : golden_(testing::read_golden("record_files", "tfrecord")) {
    write("a.tfrecord", golden_.bytes("file"));
  }

  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder_.path(name), std::ios::binary) << bytes;
  }

  SourcePtr open(const FeatureField& field) const {
    return tfrecord_source({folder_.path("a.tfrecord")}, {field});
  }

  // The only field of all records is what TensorFlow read.
  template <class T>
  void expect_as_tensorflow(const FeatureField& field, const std::string& name,
                            double tolerance = 0) const {
    const SourcePtr source = open(field);
    ASSERT_EQ(source->size(), kRecords);
    const auto width = source->fields()[0].shape.elements();
    std::vector<T> found(static_cast<size_t>(width));
    const auto& expected = golden_.values(name);
    ASSERT_EQ(static_cast<int64_t>(expected.size()), width * kRecords);
    std::byte* const into[] = {reinterpret_cast<std::byte*>(found.data())};
    for (const int64_t record : {4, 0, 3, 1, 2}) {
      source->read(record, into);
      for (int64_t i = 0; i < width; ++i)
        EXPECT_NEAR(
            static_cast<double>(found[static_cast<size_t>(i)]),
            static_cast<double>(static_cast<T>(expected[static_cast<size_t>(record * width + i)])),
            tolerance)
            << name << " of record " << record;
    }
  }

  // What reading record `record` of one field complains about.
  std::string complaint(const FeatureField& field, int64_t record = 0) const {
    const SourcePtr source = open(field);
    std::vector<std::byte> bytes(static_cast<size_t>(source->fields()[0].bytes()));
    std::byte* const into[] = {bytes.data()};
    return message_of([&] { source->read(record, into); });
  }

  testing::GoldenCase golden_;
  TemporaryFolder folder_;
};

TEST_F(TfRecordSource, ReadsNumbersAsTensorFlowDoes) {
  expect_as_tensorflow<float>({.name = "floats", .shape = {3, 2}}, "floats");
  expect_as_tensorflow<int64_t>({.name = "label", .dtype = DType::int64}, "label");
  expect_as_tensorflow<int32_t>({.name = "label", .dtype = DType::int32}, "label");
  expect_as_tensorflow<float>({.name = "label"}, "label");
}

TEST_F(TfRecordSource, ReadsRawBytesAsTensorFlowDoes) {
  expect_as_tensorflow<float>({.name = "raw", .shape = {4}, .raw = stored_type("float32")}, "raw");
  expect_as_tensorflow<float>({.name = "pixels", .shape = {6}, .raw = stored_type("uint8")},
                              "pixels");
  expect_as_tensorflow<uint8_t>(
      {.name = "pixels", .dtype = DType::uint8, .shape = {2, 3}, .raw = stored_type("uint8")},
      "pixels");
}

TEST_F(TfRecordSource, ReadsImagesAsTensorFlowDoes) {
  expect_as_tensorflow<float>(
      {.name = "image/encoded", .image = EncodedImage{.image_size = {4, 5}}}, "image", 1e-4);
}

TEST_F(TfRecordSource, FillsUpWhatIsMissing) {
  expect_as_tensorflow<float>({.name = "sometimes", .default_value = -1}, "sometimes");
  expect_as_tensorflow<int64_t>(
      {.name = "words", .dtype = DType::int64, .shape = {4}, .is_padded = true}, "words");
}

TEST_F(TfRecordSource, NamesFileRecordAndFeatureOfAnError) {
  const std::string start = folder_.path("a.tfrecord") + "[3]: feature ";
  EXPECT_EQ(complaint({.name = "sometimes"}, 3),
            start + "'sometimes' is missing and has no default");
  EXPECT_EQ(complaint({.name = "floats", .dtype = DType::int32, .shape = {6}}, 3),
            start + "'floats' is a list of floats, expected integers for int32");
  EXPECT_EQ(complaint({.name = "floats", .shape = {5}}, 3),
            start + "'floats' has 6 numbers, expected 5 for the shape (5,)");
  EXPECT_EQ(complaint({.name = "label", .dtype = DType::uint8}, 3),
            start + "'label' has the number 2993, which uint8 cannot hold");
  EXPECT_EQ(complaint({.name = "words", .shape = {0}, .is_padded = true}, 3),
            start + "'words' has 1 numbers, expected at most 0 for the shape (0,)");
  EXPECT_EQ(complaint({.name = "text", .shape = {3}}, 3),
            start +
                "'text' is a list of bytes, expected numbers (say how the bytes are to be "
                "decoded, raw or as an image)");
  EXPECT_EQ(complaint({.name = "raw", .shape = {3}, .raw = stored_type("float32")}, 3),
            start + "'raw' has 16 bytes, expected 12 for the shape (3,) in numbers of 4");
  EXPECT_EQ(complaint({.name = "label", .image = EncodedImage{}}, 3),
            start + "'label' is a list of integers, expected bytes");
  EXPECT_THAT(complaint({.name = "text", .image = EncodedImage{}}, 3),
              HasSubstr(start + "'text': expected a JPEG"));
}

TEST_F(TfRecordSource, RefusesFieldsThatCannotBe) {
  EXPECT_THAT(message_of([&] { tfrecord_source({folder_.path("a.tfrecord")}, {}); }),
              HasSubstr("expected at least one feature"));
  EXPECT_THAT(message_of([&] { tfrecord_source({}, {{.name = "a"}}); }),
              HasSubstr("expected at least one file"));
  EXPECT_THAT(message_of([&] {
                open({.name = "raw", .dtype = DType::int32, .raw = stored_type("float32")});
              }),
              HasSubstr("feature 'raw': raw numbers of floating point are read as float32"));
  EXPECT_THAT(message_of([&] { open({.name = "a", .dtype = DType::uint8, .default_value = 0.5}); }),
              HasSubstr("uint8 cannot hold the default value"));
}

TEST_F(TfRecordSource, ReadsDamagedDataAsAnErrorOfItsRecord) {
  std::string bytes = golden_.bytes("file");
  bytes[bytes.size() - 20] ^= 1;  // in the data of the last record
  write("a.tfrecord", bytes);
  EXPECT_EQ(complaint({.name = "label"}, 4),
            folder_.path("a.tfrecord") +
                "[4]: the data of the record is damaged (its checksum is wrong)");
  EXPECT_EQ(complaint({.name = "label"}, 3), "no error");
}

TEST_F(TfRecordSource, CountsRecordsThroughFiles) {
  write("b.tfrecord", "");
  const auto paths = {folder_.path("a.tfrecord"), folder_.path("b.tfrecord"),
                      folder_.path("a.tfrecord")};
  const SourcePtr source = tfrecord_source(paths, {{.name = "label", .dtype = DType::int64}});
  ASSERT_EQ(source->size(), 2 * kRecords);
  EXPECT_EQ(source->name(1), folder_.path("a.tfrecord") + "[1]");
  EXPECT_EQ(source->name(6), folder_.path("a.tfrecord") + "[1]");
  int64_t label = 0;
  std::byte* const into[] = {reinterpret_cast<std::byte*>(&label)};
  source->read(8, into);
  EXPECT_EQ(static_cast<double>(label), golden_.values("label")[3]);
}

// More files than are kept open.
TEST_F(TfRecordSource, ReadsVeryManyFilesByManyThreads) {
  const std::vector<std::string> paths(400, folder_.path("a.tfrecord"));
  const SourcePtr source = tfrecord_source(paths, {{.name = "label", .dtype = DType::int64}});
  const auto read_all = [&](int64_t first, int64_t& wrong) {
    int64_t label = 0;
    std::byte* const into[] = {reinterpret_cast<std::byte*>(&label)};
    for (int64_t record = first; record < source->size(); record += 2) {
      source->read(record, into);
      if (label != record % kRecords * 1000 - 7) ++wrong;
    }
  };
  int64_t wrong[2] = {0, 0};
  std::thread other([&] { read_all(1, wrong[1]); });
  read_all(0, wrong[0]);
  other.join();
  EXPECT_EQ(wrong[0] + wrong[1], 0);
}

TEST(RecordOffsets, TakesEightBytesForEachOfAMillionRecords) {
  constexpr int64_t kCount = 1'000'000;
  const TemporaryFolder folder;
  {
    // {"n": [number]}: an int64 list of one packed number in seven bytes.
    std::ofstream file(folder.path("many.tfrecord"), std::ios::binary);
    for (int64_t i = 0; i < kCount; ++i) {
      std::string example("\x0a\x12\x0a\x10\x0a\x01n\x12\x0b\x1a\x09\x0a\x07", 13);
      for (int byte = 0; byte < 7; ++byte)
        example += static_cast<char>((i >> (7 * byte) & 0x7f) | (byte < 6 ? 0x80 : 0));
      file << tfrecord_of(std::as_bytes(std::span(example)));
    }
  }
  const ByteSourcePtr file = file_source(folder.path("many.tfrecord"));
  RecordOffsets offsets;
  index_tfrecords(*file, [&](int64_t offset) { offsets.add(offset); });
  offsets.end_file(file->size());
  offsets.shrink();
  ASSERT_EQ(offsets.size(), kCount);
  EXPECT_LE(offsets.bytes(), 9 * kCount);

  const SourcePtr source =
      tfrecord_source({folder.path("many.tfrecord")}, {{.name = "n", .dtype = DType::int64}});
  int64_t number = 0;
  std::byte* const into[] = {reinterpret_cast<std::byte*>(&number)};
  for (int64_t record = 0; record < kCount; record += 9973) {
    source->read(record, into);
    EXPECT_EQ(number, record);
  }
}

}  // namespace
}  // namespace plimsoll
