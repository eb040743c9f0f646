#include "plimsoll/formats/tables/idx.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

HostTensor parse(std::string bytes, int64_t max_bytes = 1 << 20) {
  size_t at = 0;
  const auto reader = [&](std::byte* into, int64_t size) {
    const size_t count = std::min(static_cast<size_t>(size), bytes.size() - at);
    std::memcpy(into, bytes.data() + at, count);
    at += count;
    return static_cast<int64_t>(count);
  };
  return read_idx(reader, "t.idx", max_bytes);
}

std::string header(char type, std::initializer_list<char> dims) {
  std::string bytes{0, 0, type, static_cast<char>(dims.size())};
  for (char dim : dims) bytes += std::string{0, 0, 0, dim};
  return bytes;
}

TEST(Idx, ReadsBytesOfAnyRank) {
  const HostTensor tensor = parse(header(8, {2, 3}) + "abcdef");
  EXPECT_EQ(tensor.spec, (Spec{DType::uint8, {2, 3}}));
  EXPECT_EQ(std::memcmp(tensor.storage->data(), "abcdef", 6), 0);
}

TEST(Idx, ReadsBigEndianNumbers) {
  const HostTensor ints = parse(header(12, {2}) + std::string{0, 0, 1, 2, -1, -1, -1, -1});
  const auto* values = reinterpret_cast<const int32_t*>(ints.storage->data());
  EXPECT_EQ(values[0], 258);
  EXPECT_EQ(values[1], -1);
  const HostTensor floats =
      parse(header(13, {1}) + std::string{0x3f, static_cast<char>(0x80), 0, 0});
  EXPECT_EQ(*reinterpret_cast<const float*>(floats.storage->data()), 1.0f);
}

TEST(Idx, NamesThePlaceWhereAFileIsNotWhole) {
  EXPECT_THAT(
      [] {
        parse(header(8, {2, 3}) + "abc");
      },
      ThrowsMessage<CorruptFile>(HasSubstr("t.idx: ends inside the elements")));
  EXPECT_THAT([] { parse(header(8, {2}) + "abc"); },
              ThrowsMessage<CorruptFile>(HasSubstr("more bytes than its header describes")));
  EXPECT_THAT([] { parse("PNG!"); }, ThrowsMessage<CorruptFile>(HasSubstr("not an IDX file")));
  EXPECT_THAT([] { parse(header(9, {1}) + "a"); },
              ThrowsMessage<CorruptFile>(HasSubstr("element type 9")));
}

TEST(Idx, ChecksSizesBeforeItAllocates) {
  std::string bytes{0, 0, 8, 4};
  for (int i = 0; i < 4; ++i) bytes += std::string(4, static_cast<char>(0xff));
  EXPECT_THAT([&] { parse(bytes); }, ThrowsMessage<CorruptFile>(HasSubstr("describes more than")));
}

TEST(Idx, ReadsCompressedFilesAndNamesDamagedOnes) {
  const auto path = std::filesystem::temp_directory_path() / "plimsoll_idx_test.gz";
  const std::string bytes = header(8, {100}) + std::string(100, 'x');
  gzFile out = gzopen(path.c_str(), "wb");
  gzwrite(out, bytes.data(), static_cast<unsigned>(bytes.size()));
  gzclose(out);
  EXPECT_EQ(read_idx(path.string()).spec.shape, (Shape{100}));
  std::filesystem::resize_file(path, std::filesystem::file_size(path) - 9);
  EXPECT_THROW(read_idx(path.string()), CorruptFile);
  std::filesystem::remove(path);
  EXPECT_THAT([&] { read_idx(path.string()); },
              ThrowsMessage<IoError>(HasSubstr("cannot be opened: No such file")));
}

}  // namespace
}  // namespace plimsoll
