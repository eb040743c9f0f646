// What is not a whole checkpoint is refused by one sentence that begins with the path.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <random>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/bytes/byte_builder.h"
#include "plimsoll/formats/checkpoint/checkpoint_file.h"
#include "tests/support/damage.h"
#include "tests/support/faulty_file_system.h"

namespace plimsoll {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using Bytes = std::vector<std::byte>;

const std::string kPath = "run/1.checkpoint";
constexpr int64_t kBlock = CheckpointLayout::kBlockBytes;

// "whole" where the bytes are a checkpoint.
std::string complaint_about(const Bytes& bytes) {
  static FaultyFileSystem disk;
  disk.put(kPath, bytes);
  try {
    CheckpointFile::open(kPath, disk);
    return "whole";
  } catch (const CorruptFile& error) {
    return error.what();
  }
}

void expect_refused(const Bytes& bytes, const std::string& how) {
  const std::string complaint = complaint_about(bytes);
  ASSERT_THAT(complaint, AllOf(StartsWith(kPath + ": "), Not(HasSubstr("\n")))) << how;
  ASSERT_LT(complaint.size(), 500u) << how;
}

Bytes checkpoint_of(const std::vector<int64_t>& sizes, uint64_t seed) {
  FaultyFileSystem disk;
  const auto file = disk.create(kPath);
  CheckpointWriter writer(*file);
  std::mt19937_64 random(seed);
  int count = 0;
  for (const int64_t size : sizes) {
    Bytes bytes(static_cast<size_t>(size));
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
    const std::string name = "entry " + std::to_string(++count);
    writer.add(name, {.dtype = DType::uint8, .shape = {size}}, bytes);
  }
  writer.finish();
  return disk.bytes_of(kPath);
}

void flip(Bytes& bytes, size_t bit) {
  bytes[bit / 8] ^= std::byte{1} << (bit % 8);
}

TEST(ADamagedCheckpoint, IsRefusedWhereAnyBitIsFlipped) {
  Bytes bytes = checkpoint_of({100, 0, 1, 33}, 1);
  ASSERT_EQ(complaint_about(bytes), "whole");
  for (size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    flip(bytes, bit);
    expect_refused(bytes, "bit " + std::to_string(bit));
    flip(bytes, bit);
  }
}

// The same with an entry that is stored by the name of another.
TEST(ADamagedCheckpoint, IsRefusedWhereAnyBitOfAReferenceIsFlipped) {
  FaultyFileSystem disk;
  const auto file = disk.create(kPath);
  CheckpointWriter writer(*file);
  const auto read = [](int64_t at, std::span<std::byte> piece) {
    for (std::byte& byte : piece) byte = static_cast<std::byte>(at++ * 7);
  };
  for (const char* name : {"weights", "kept"})
    writer.add_once(name, {.dtype = DType::uint8, .shape = {40}}, read);
  writer.finish();
  Bytes bytes = disk.bytes_of(kPath);
  ASSERT_EQ(complaint_about(bytes), "whole");
  for (size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    flip(bytes, bit);
    expect_refused(bytes, "bit " + std::to_string(bit));
    flip(bytes, bit);
  }
}

TEST(ADamagedCheckpoint, IsRefusedWhereAnyOfTenThousandRandomBitsIsFlipped) {
  Bytes bytes = checkpoint_of({kBlock + 1000, 20000, 7}, 2);
  ASSERT_EQ(complaint_about(bytes), "whole");
  std::mt19937_64 random(3);
  for (int i = 0; i < 10000; ++i) {
    const size_t bit = random() % (bytes.size() * 8);
    flip(bytes, bit);
    expect_refused(bytes, "bit " + std::to_string(bit));
    flip(bytes, bit);
  }
}

TEST(ADamagedCheckpoint, IsRefusedWhereItIsCutOffOrLonger) {
  const Bytes whole = checkpoint_of({100, 0, 1, 33}, 1);
  for (size_t size = 0; size < whole.size(); ++size)
    expect_refused({whole.begin(), whole.begin() + static_cast<int64_t>(size)},
                   "cut to " + std::to_string(size));
  Bytes longer = whole;
  for (int i = 0; i < 100; ++i) {
    longer.push_back(std::byte{0});
    expect_refused(longer, std::to_string(i + 1) + " more bytes");
  }
  Bytes twice = whole;
  twice.insert(twice.end(), whole.begin(), whole.end());
  expect_refused(twice, "twice");
}

// The blocks begin after the header of 16 bytes.
TEST(ADamagedCheckpoint, IsRefusedWhereBlocksChangedPlaces) {
  const Bytes one = checkpoint_of({3 * kBlock}, 1), other = checkpoint_of({3 * kBlock}, 2);
  const auto block = [](auto& bytes, int64_t number) {
    return bytes.begin() + CheckpointLayout::kHeaderBytes + number * kBlock;
  };
  Bytes swapped = one;
  std::swap_ranges(block(swapped, 0), block(swapped, 1), block(swapped, 1));
  EXPECT_EQ(complaint_about(swapped),
            kPath + ": bytes 16 to 262159 (of entry 1) are not those that were written there");
  Bytes mixed = one;
  std::copy(block(other, 1), block(other, 2), block(mixed, 1));
  expect_refused(mixed, "a block of another checkpoint");
  Bytes zeroed = one;
  std::fill(block(zeroed, 2), block(zeroed, 3), std::byte{0});
  expect_refused(zeroed, "a block of zeros");
}

TEST(ADamagedCheckpoint, SaysWhatItIsInstead) {
  EXPECT_EQ(complaint_about(Bytes{}), kPath + ": has 0 bytes, a checkpoint has at least 64");
  EXPECT_EQ(complaint_about(to_bytes("\x89PNG\r\n")),
            kPath + ": has 6 bytes, a checkpoint has at least 64");
  EXPECT_EQ(complaint_about(to_bytes(std::string(1000, 'x'))),
            kPath + ": is not a checkpoint: it begins with other bytes");
  EXPECT_EQ(complaint_about(Bytes(1000)),
            kPath + ": is not a checkpoint: it begins with other bytes");
  Bytes newer = checkpoint_of({1}, 1);
  for (const int version : {0, 3, 255}) {
    newer[8] = static_cast<std::byte>(version);
    EXPECT_EQ(complaint_about(newer), kPath + ": is a checkpoint of version " +
                                          std::to_string(version) +
                                          ", this program reads versions 1 to 2");
  }
  newer[8] = std::byte{1};
  EXPECT_EQ(complaint_about(newer),
            kPath + ": its last bytes are not those that were written there");
}

// A checkpoint of 8 bytes of entries and any index, with the checksums that it needs.
Bytes forged(const std::string& index, int64_t version = CheckpointLayout::kVersion) {
  std::string file = CheckpointLayout::header(version) + "elements";
  const auto offset = static_cast<int64_t>(file.size());
  const auto size = static_cast<int64_t>(index.size());
  file += index;
  const auto bytes = std::as_bytes(std::span(index));
  file += CheckpointLayout::encode(
      CheckpointFooter{.version = version,
                       .index_offset = offset,
                       .index_bytes = size,
                       .index_checksum = CheckpointLayout::checksum(bytes, offset),
                       .file_bytes = offset + size + CheckpointLayout::kFooterBytes});
  return to_bytes(file);
}

struct ForgedEntry {
  std::string name = "a";
  int64_t dtype = 3;
  std::vector<int64_t> shape = {8};
  int64_t offset = 16;
  int64_t length = 8;
  size_t checksums = 1;
  std::optional<std::string> same_as = {};
};

ByteBuilder& add(ByteBuilder& index, const ForgedEntry& entry) {
  const std::string data = "elements";
  index.u16(static_cast<int64_t>(entry.name.size())).text(entry.name).u8(entry.dtype);
  index.u8(static_cast<int64_t>(entry.shape.size()));
  for (const int64_t size : entry.shape) index.u64(size);
  if (entry.same_as)
    return index.u16(static_cast<int64_t>(entry.same_as->size())).text(*entry.same_as);
  index.u64(entry.offset).u64(entry.length);
  const uint64_t sum = CheckpointLayout::checksum(std::as_bytes(std::span(data)), 16);
  for (size_t i = 0; i < entry.checksums; ++i) index.u64(static_cast<int64_t>(sum));
  return index;
}

std::string complaint_about(const std::vector<ForgedEntry>& entries,
                            int64_t version = CheckpointLayout::kVersion) {
  ByteBuilder index;
  index.u32(static_cast<int64_t>(entries.size()));
  for (const ForgedEntry& entry : entries) add(index, entry);
  const std::string complaint = complaint_about(forged(index.bytes(), version));
  return complaint.substr(complaint.starts_with(kPath + ": ") ? kPath.size() + 2 : 0);
}

TEST(AForgedCheckpoint, IsNotTrusted) {
  using Entries = std::vector<ForgedEntry>;
  const int64_t huge = int64_t{1} << 62;
  ASSERT_EQ(complaint_about(Entries{{}}), "whole");
  EXPECT_EQ(complaint_about(Entries{{.name = ""}}), "'' cannot be the name of an entry");
  EXPECT_EQ(complaint_about(Entries{{.name = "\xc3"}}), "'\\xc3' cannot be the name of an entry");
  EXPECT_THAT(complaint_about(Entries{{.name = std::string(4097, 'n')}}),
              EndsWith("n' cannot be the name of an entry"));
  EXPECT_EQ(complaint_about(Entries{{}, {.shape = {0}, .offset = 24, .length = 0, .checksums = 0}}),
            "two entries are named 'a'");
  EXPECT_EQ(complaint_about(Entries{{.dtype = 6}}), "'a' has element type 6, which is not known");
  EXPECT_EQ(complaint_about(Entries{{.shape = {1, 1, 1, 1, 1, 1, 1, 1, 8}}}),
            "'a' has 9 dimensions, at most 8 are read");
  EXPECT_EQ(complaint_about(Entries{{.shape = {7}}}), "'a' is uint8 (7,) in 8 bytes");
  EXPECT_EQ(complaint_about(Entries{{.dtype = 0}}), "'a' is float32 (8,) in 8 bytes");
  EXPECT_EQ(complaint_about(Entries{{.shape = {-8}, .length = -8}}),
            "'a' is uint8 (-8,) in 18446744073709551608 bytes");
  EXPECT_THAT(complaint_about(Entries{{.shape = {huge, 4}, .length = 0}}), HasSubstr("in 0 bytes"));
  EXPECT_THAT(complaint_about(Entries{{.shape = {0, huge, huge}, .length = 0}}),
              HasSubstr("in 0 bytes"));
  EXPECT_THAT(complaint_about(Entries{{.shape = {1 << 20}, .length = 1 << 20}}),
              HasSubstr("has 1048576 bytes from byte 16 on, expected them between 16 and 24"));
  EXPECT_THAT(complaint_about(Entries{{.offset = 15}}), HasSubstr("8 bytes from byte 15 on"));
  EXPECT_THAT(complaint_about(Entries{{.offset = -1}}),
              HasSubstr("from byte 18446744073709551615"));
  EXPECT_EQ(complaint_about(Entries{{.shape = {4}, .length = 4}}),
            "its entries end at byte 20, its index begins at 24");
  EXPECT_EQ(complaint_about(Entries{{.checksums = 0}}), "the index ends in the middle of an entry");
  EXPECT_EQ(complaint_about(Entries{{.checksums = 2}}), "the index is longer than its entries");
  EXPECT_EQ(complaint_about(Entries{}), "its entries end at byte 16, its index begins at 24");
}

TEST(AForgedCheckpoint, HasReferencesToEntriesBeforeThem) {
  using Entries = std::vector<ForgedEntry>;
  constexpr int64_t kReference = 128;
  const ForgedEntry same{.name = "b", .dtype = kReference + 3, .same_as = "a"};
  ASSERT_EQ(complaint_about(Entries{{}, same}), "whole");
  ASSERT_EQ(complaint_about(Entries{{}}, 1), "whole");
  EXPECT_EQ(complaint_about(Entries{{}, same}, 1), "'b' has element type 131, which is not known");
  const auto other = [&](const std::string& target) {
    ForgedEntry entry = same;
    entry.same_as = target;
    return entry;
  };
  const std::string none = "', which is no entry with bytes before it";
  EXPECT_EQ(complaint_about(Entries{same, {}}), "'b' has the bytes of 'a" + none);
  EXPECT_EQ(complaint_about(Entries{{}, other("b")}), "'b' has the bytes of 'b" + none);
  EXPECT_EQ(complaint_about(Entries{{}, other("")}), "'b' has the bytes of '" + none);
  EXPECT_EQ(complaint_about(Entries{{}, other("\xc3")}), "'b' has the bytes of '\\xc3" + none);
  ForgedEntry third = other("b");
  third.name = "c";
  EXPECT_EQ(complaint_about(Entries{{}, same, third}), "'c' has the bytes of 'b" + none);
  ForgedEntry twice = same;
  twice.name = "a";
  EXPECT_EQ(complaint_about(Entries{{}, twice}), "two entries are named 'a'");
  ForgedEntry larger = same;
  larger.shape = {9};
  EXPECT_EQ(complaint_about(Entries{{}, larger}),
            "'b' is uint8 (9,) and has the bytes of 'a', which is uint8 (8,)");
  ForgedEntry real = same;
  real.dtype = kReference;
  EXPECT_EQ(complaint_about(Entries{{}, real}),
            "'b' is float32 (8,) and has the bytes of 'a', which is uint8 (8,)");
  real.dtype = 255;
  EXPECT_EQ(complaint_about(Entries{{}, real}), "'b' has element type 127, which is not known");
  // A name of the other entry that is longer than the index.
  ByteBuilder index;
  index.u32(2);
  add(index, {}).u16(1).text("b").u8(kReference + 3).u8(1).u64(8).u16(500).text("a");
  expect_refused(forged(index.bytes()), "a name that ends behind the index");
}

TEST(AForgedCheckpoint, MayNotPromiseMoreThanThereIs) {
  for (const int64_t count : {int64_t{1}, int64_t{131073}, int64_t{0xffffffff}})
    expect_refused(forged(ByteBuilder().u32(count).bytes()), std::to_string(count) + " entries");
  expect_refused(forged(""), "no index");
  expect_refused(forged(ByteBuilder().u32(1).u16(65535).text("short").bytes()), "a long name");
  for (const int64_t offset : {int64_t{0}, int64_t{15}, int64_t{25}, int64_t{-1}}) {
    std::string file = CheckpointLayout::header() + "elements";
    file += CheckpointLayout::encode(CheckpointFooter{
        .index_offset = offset, .index_bytes = 24 - offset, .index_checksum = 0, .file_bytes = 72});
    expect_refused(to_bytes(file), "index at " + std::to_string(offset));
  }
}

}  // namespace
}  // namespace plimsoll
