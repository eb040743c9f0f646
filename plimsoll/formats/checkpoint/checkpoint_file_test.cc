#include "plimsoll/formats/checkpoint/checkpoint_file.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cctype>
#include <fstream>

#include "plimsoll/base/error.h"
#include "tests/support/faulty_file_system.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

using testing::ElementsAre;
using testing::ThrowsMessage;
using Bytes = std::vector<std::byte>;

const std::string kPath = "run/checkpoints/1";

Spec spec_of(DType dtype, const Shape& shape) {
  return {.dtype = dtype, .shape = shape};
}

// Bytes that differ from place to place and from seed to seed.
Bytes some_bytes(int64_t size, unsigned seed) {
  Bytes bytes(static_cast<size_t>(size));
  for (size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<std::byte>((i * 2654435761u + seed * 97u) >> 7);
  return bytes;
}

Bytes read(const CheckpointFile& file, std::string_view name) {
  Bytes bytes(static_cast<size_t>(file.spec(name).bytes()));
  file.read(name, bytes);
  return bytes;
}

// Two digits per byte.
Bytes bytes_of_digits(const std::string& digits) {
  Bytes bytes;
  for (size_t i = 0; i < digits.size(); i += 2)
    bytes.push_back(static_cast<std::byte>(std::stoi(digits.substr(i, 2), nullptr, 16)));
  return bytes;
}

class ACheckpoint : public testing::Test {
 protected:
  template <class Fill>
  void write(Fill&& fill) {
    const auto file = disk_.create(kPath);
    CheckpointWriter writer(*file);
    fill(writer);
    writer.finish();
  }

  CheckpointFile open() const { return CheckpointFile::open(kPath, disk_); }

  FaultyFileSystem disk_;
};

TEST_F(ACheckpoint, GivesBackWhatWasAdded) {
  using enum DType;
  const std::vector<std::pair<std::string, Spec>> entries = {
      {"weights/dense/kernel", spec_of(float32, {3, 5})},
      {"a scalar", spec_of(int64, {})},
      {"nothing", spec_of(int32, {0, 7})},
      {"bytes", spec_of(uint8, {13})},
      {"mask", spec_of(boolean, {2, 1, 2})},
      {"größe", spec_of(string, {4, 2})}};
  write([&](CheckpointWriter& writer) {
    unsigned seed = 0;
    for (const auto& [name, spec] : entries)
      writer.add(name, spec, some_bytes(spec.bytes(), ++seed));
  });
  const CheckpointFile file = open();
  unsigned seed = 0;
  for (const auto& [name, spec] : entries) {
    EXPECT_TRUE(file.has(name));
    EXPECT_EQ(file.spec(name), spec);
    EXPECT_EQ(read(file, name), some_bytes(spec.bytes(), ++seed)) << name;
  }
  EXPECT_THAT(file.names(),
              ElementsAre("weights/dense/kernel", "a scalar", "nothing", "bytes", "mask", "größe"));
  EXPECT_FALSE(file.has("bias"));
  EXPECT_THAT([&] { file.spec("bias"); },
              ThrowsMessage<CorruptFile>(kPath + ": has no entry 'bias'"));
  EXPECT_EQ(file.path(), kPath);
  EXPECT_EQ(static_cast<size_t>(file.bytes()), disk_.bytes_of(kPath).size());
}

TEST_F(ACheckpoint, MayBeEmpty) {
  write([](CheckpointWriter&) {});
  EXPECT_TRUE(open().names().empty());
}

TEST_F(ACheckpoint, HasBlocksThatAreReadInPieces) {
  constexpr int64_t kBlock = CheckpointWriter::kPieceBytes;
  for (const int64_t size : {kBlock - 1, kBlock, kBlock + 1, 3 * kBlock, 3 * kBlock + 17}) {
    const Bytes bytes = some_bytes(size, 3);
    write([&](CheckpointWriter& writer) {
      writer.add("first", spec_of(DType::uint8, {5}), some_bytes(5, 1));
      writer.add("whole", spec_of(DType::uint8, {size}), bytes);
      writer.add("pieces", spec_of(DType::uint8, {size}), [&](int64_t at, std::span<std::byte> to) {
        ASSERT_LE(to.size(), static_cast<size_t>(kBlock));
        std::copy_n(bytes.begin() + at, to.size(), to.begin());
      });
    });
    EXPECT_EQ(read(open(), "whole"), bytes);
    EXPECT_EQ(read(open(), "pieces"), bytes);
  }
}

TEST_F(ACheckpoint, RefusesWhatItCouldNotGiveBack) {
  const auto file = disk_.create(kPath);
  CheckpointWriter writer(*file);
  const Spec spec = spec_of(DType::float32, {2});
  writer.add("a", spec, Bytes(8));
  const auto says = [](const std::string& what) {
    return ThrowsMessage<InvalidArgument>("checkpoint: " + what);
  };
  EXPECT_THAT([&] { writer.add("a", spec, Bytes(8)); }, says("'a' is added twice"));
  EXPECT_THAT([&] { writer.add("b", spec, Bytes(7)); },
              says("'b' is float32 (2,), which has 8 bytes, found 7"));
  const std::string why = " cannot be the name of an entry (expected 1 to 4096 bytes of UTF-8)";
  EXPECT_THAT([&] { writer.add("", spec, Bytes(8)); }, says("''" + why));
  EXPECT_THAT([&] { writer.add("\xff", spec, Bytes(8)); }, says("'\\xff'" + why));
  EXPECT_THROW(writer.add(std::string(4097, 'n'), spec, Bytes(8)), InvalidArgument);
  EXPECT_THAT([&] { writer.add("c", spec_of(DType::float32, {-1}), Bytes(0)); },
              says("'c' cannot be float32 (-1,)"));
  EXPECT_THROW(writer.add("d", spec_of(DType::uint8, {0, 1L << 40, 1L << 40}), Bytes(0)),
               InvalidArgument);
  writer.finish();
  EXPECT_THAT([&] { writer.add("e", spec, Bytes(8)); },
              says("it is finished, nothing can be added to it"));
  EXPECT_THROW(writer.finish(), InvalidArgument);
  EXPECT_THAT(open().names(), ElementsAre("a"));
  Bytes small(4);
  EXPECT_THAT([&] { open().read("a", small); },
              ThrowsMessage<InvalidArgument>(kPath + ": 'a' has 8 bytes, expected 4"));
}

TEST_F(ACheckpoint, ComparesChecksumsAgainWhenItIsRead) {
  const TemporaryFolder folder;
  const std::string path = folder.path("a");
  FileSystem& files = real_file_system();
  const auto written = files.create(path);
  CheckpointWriter writer(*written);
  writer.add("a", spec_of(DType::uint8, {100}), some_bytes(100, 1));
  writer.finish();
  const CheckpointFile file = CheckpointFile::open(path);
  std::fstream(path) << "the beginning, and a few bytes of the entry";
  EXPECT_THAT(
      [&] { read(file, "a"); },
      ThrowsMessage<CorruptFile>(path + ": bytes 16 to 115 (of a) are not those that were written "
                                        "there"));
}

// The bytes of the example in docs/formats/checkpoint.md, which were not made by this code. A line
// is "020  02 00 00 00      index: 2 entries".
std::string documented_bytes() {
  constexpr size_t kOffsetEnd = 5, kHexEnd = 56;
  std::ifstream document(PLIMSOLL_SOURCE_DIR "/docs/formats/checkpoint.md");
  std::string digits;
  for (std::string line; std::getline(document, line);)
    if (line.size() > kHexEnd && line.find("  ") == 3 && std::isxdigit(line[0]) != 0)
      for (const char c : line.substr(kOffsetEnd, kHexEnd - kOffsetEnd))
        if (c != ' ') digits += c;
  return digits;
}

TEST_F(ACheckpoint, HasTheBytesOfItsDocument) {
  write([](CheckpointWriter& writer) {
    const std::array<float, 2> weights = {1.0f, -2.0f};
    const int64_t step = 300;
    const auto read = [&](int64_t at, std::span<std::byte> piece) {
      std::ranges::copy(
          std::as_bytes(std::span(weights)).subspan(static_cast<size_t>(at), piece.size()),
          piece.begin());
    };
    writer.add_once("w", spec_of(DType::float32, {2, 1}), read);
    writer.add("step", spec_of(DType::int64, {}), std::as_bytes(std::span(&step, 1)));
    writer.add_once("v", spec_of(DType::float32, {2, 1}), read);
  });
  std::string digits;
  for (const std::byte byte : disk_.bytes_of(kPath))
    digits += fmt::format("{:02x}", std::to_integer<int>(byte));
  EXPECT_EQ(digits, documented_bytes());
}

// The example of the document as version 1 had it.
TEST_F(ACheckpoint, OfVersion1IsRead) {
  disk_.put(kPath, bytes_of_digits(
                       "504c494d434b505401000000000004000000803f000000c02c0100000000000002000000"
                       "010077000202000000000000000100000000000000100000000000000008000000000000"
                       "00ad2061e32f1739f1040073746570020018000000000000000800000000000000976210"
                       "3f3c2820f9200000000000000051000000000000007661359dd7ea56dda1000000000000"
                       "009020226bf7b054ba504c494d43454e44"));
  const CheckpointFile file = open();
  EXPECT_THAT(file.names(), ElementsAre("w", "step"));
  EXPECT_EQ(file.spec("w"), spec_of(DType::float32, {2, 1}));
  EXPECT_EQ(read(file, "w"), bytes_of_digits("0000803f000000c0"));
  EXPECT_EQ(read(file, "step"), bytes_of_digits("2c01000000000000"));
}

// What add_once was given before is not stored again: neither after one block nor after several,
// and only where all of it is the same.
TEST_F(ACheckpoint, StoresTheSameBytesOnce) {
  constexpr int64_t kBlock = CheckpointWriter::kPieceBytes;
  for (const int64_t size : {int64_t{4}, kBlock, 2 * kBlock + 12}) {
    Bytes bytes = some_bytes(size, 1), other = bytes;
    other.back() ^= std::byte{1};
    const auto reader = [](const Bytes& from) {
      return [&from](int64_t at, std::span<std::byte> to) {
        std::copy_n(from.begin() + at, to.size(), to.begin());
      };
    };
    const Spec spec = spec_of(DType::uint8, {size}), floats = spec_of(DType::float32, {size / 4});
    write([&](CheckpointWriter& writer) {
      writer.add("alone", spec, bytes);
      writer.add_once("first", spec, reader(bytes));
      writer.add_once("other", spec, reader(other));
      writer.add_once("same", spec, reader(bytes));
      writer.add_once("floats", floats, reader(bytes));
      writer.add_once("same as other", spec, reader(other));
      writer.add_once("same again", spec, reader(bytes));
      writer.add_once("nothing", spec_of(DType::uint8, {0}), reader(bytes));
    });
    const CheckpointFile file = open();
    for (const char* name : {"alone", "first", "same", "floats", "same again"})
      EXPECT_EQ(read(file, name), bytes) << name << " of " << size;
    for (const char* name : {"other", "same as other"})
      EXPECT_EQ(read(file, name), other) << name << " of " << size;
    EXPECT_EQ(file.spec("same"), spec);
    EXPECT_THAT(file.names(), ElementsAre("alone", "first", "other", "same", "floats",
                                          "same as other", "same again", "nothing"));
    constexpr int64_t kMostOfRest = 600;  // header, index and footer
    EXPECT_GE(file.bytes(), 4 * size);
    EXPECT_LE(file.bytes(), 4 * size + kMostOfRest);
  }
}

TEST_F(ACheckpoint, IsCountedWithoutReadingIt) {
  CheckpointWriter counter;
  const auto never = [](int64_t, std::span<std::byte>) { FAIL() << "it is read"; };
  counter.add("a", spec_of(DType::float32, {5}), some_bytes(20, 1));
  counter.add("b", spec_of(DType::uint8, {7}), never);
  counter.add_once("c", spec_of(DType::int64, {2}), never);
  counter.add_once("d", spec_of(DType::int64, {2}), never);
  EXPECT_TRUE(counter.only_counts());
  EXPECT_EQ(counter.bytes(), 20 + 7 + 16 + 16);
}

}  // namespace
}  // namespace plimsoll
