#include "plimsoll/formats/archives/zip_archive.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/archives/zip_writer.h"
#include "tests/support/damage.h"
#include "tests/support/deflated_zip.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

using ::testing::AllOf;
using testing::deflated_zip;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using ::testing::ThrowsMessage;

std::string text_of(ByteSource& source, int64_t offset, size_t size) {
  std::string text(size, ' ');
  source.read_at(offset, std::as_writable_bytes(std::span(text)));
  return text;
}

ZipArchive from_bytes(const std::string& bytes) {
  return ZipArchive(memory_source("t.zip", to_bytes(bytes)));
}

std::string zip_of(const std::vector<std::pair<std::string, std::string>>& entries) {
  const TemporaryFolder folder;
  ZipWriter writer(folder.path("a.zip"));
  for (const auto& [name, contents] : entries) writer.add(name, contents);
  writer.finish();
  return bytes_of(folder.path("a.zip"));
}

TEST(ZipArchive, ReadsWhatWasWritten) {
  const ZipArchive archive = from_bytes(zip_of({{"a.txt", "first"}, {"b/c.txt", ""}}));
  ASSERT_EQ(archive.entries().size(), 2u);
  EXPECT_EQ(archive.entries()[0].name, "a.txt");
  EXPECT_EQ(archive.entries()[0].size, 5);
  EXPECT_FALSE(archive.entries()[0].compressed);
  EXPECT_EQ(archive.read("a.txt", 5), "first");
  EXPECT_EQ(archive.read("b/c.txt", 0), "");
  EXPECT_TRUE(archive.has("a.txt"));
  EXPECT_FALSE(archive.has("a"));
}

TEST(ZipArchive, IsTheSameBytesForTheSameContents) {
  EXPECT_EQ(zip_of({{"a", "1"}, {"b", "2"}}), zip_of({{"a", "1"}, {"b", "2"}}));
}

TEST(ZipArchive, ReadsStoredAndCompressedEntriesAtAnyPlace) {
  const TemporaryFolder folder;
  std::string contents;
  for (int i = 0; i < 100'000; ++i) contents += std::to_string(i);
  for (const std::string& bytes :
       {zip_of({{"x", "_"}, {"a", contents}}), deflated_zip({{"a", contents}})}) {
    const ByteSourcePtr source = from_bytes(bytes).open("a", folder.path().string());
    EXPECT_EQ(source->name(), "t.zip/a");
    ASSERT_EQ(source->size(), static_cast<int64_t>(contents.size()));
    EXPECT_EQ(text_of(*source, 300'000, 1000), contents.substr(300'000, 1000));
    EXPECT_EQ(text_of(*source, 10, 400'000), contents.substr(10, 400'000));
    EXPECT_EQ(text_of(*source, source->size(), 0), "");
  }
  EXPECT_EQ(folder.count(), 0u);
}

TEST(ZipArchive, WritesFilesPieceByPiece) {
  const TemporaryFolder folder;
  const std::string contents(3'000'000, 'q');
  std::ofstream(folder.path("in")) << contents;
  ZipWriter writer(folder.path("a.zip"));
  writer.add_file("weights", folder.path("in"));
  writer.finish();
  EXPECT_EQ(ZipArchive(folder.path("a.zip")).read("weights", 1 << 22), contents);
  EXPECT_EQ(folder.count(), 2u);
}

TEST(ZipArchive, WritesNothingUnlessItIsFinished) {
  const TemporaryFolder folder;
  { ZipWriter(folder.path("a.zip")).add("a", "1"); }
  EXPECT_EQ(folder.count(), 0u);
  ZipWriter writer(folder.path("none/a.zip"));
  writer.add("a", "1");
  EXPECT_THROW(writer.finish(), IoError);
}

TEST(ZipArchive, IsNotWrittenWithTheSameNameTwice) {
  const TemporaryFolder folder;
  ZipWriter writer(folder.path("a.zip"), "m.keras");
  writer.add("a", "1");
  EXPECT_THAT([&] { writer.add("a", "2"); },
              ThrowsMessage<InvalidArgument>("m.keras: entry 'a' is added twice"));
}

TEST(ZipArchive, NamesTheArchiveWhoseEntryCannotBeRead) {
  const TemporaryFolder folder;
  ZipWriter writer(folder.path("a.zip"));
  writer.add_file("weights", folder.path("none"));
  EXPECT_THAT([&] { writer.finish(); },
              ThrowsMessage<IoError>(HasSubstr("none: cannot be opened")));
}

TEST(ZipArchive, RefusesNamesThatLeadOutOfTheFolder) {
  for (const char* name : {"../a", "a/../../b", "/etc/passwd", "..", "a\\b", "C:x"}) {
    const std::string bytes = zip_of({{name, "1"}});
    EXPECT_THAT([&] { from_bytes(bytes); },
                ThrowsMessage<CorruptFile>(
                    AllOf(StartsWith("t.zip: entry '"), HasSubstr("leads out of its folder"))))
        << name;
  }
  EXPECT_NO_THROW(from_bytes(zip_of({{"a/..b/c..", "1"}})));
}

TEST(ZipArchive, RefusesANameThatIsThereTwice) {
  std::string bytes = zip_of({{"aa", "1"}, {"ab", "2"}});
  for (size_t at = 0; (at = bytes.find("ab", at)) != bytes.npos;) bytes[at + 1] = 'a';
  EXPECT_THAT([&] { from_bytes(bytes); }, ThrowsMessage<CorruptFile>(HasSubstr("'aa'")));
}

TEST(ZipArchive, NamesTheEntryThatIsDamagedOrMissing) {
  const TemporaryFolder folder;
  std::string bytes = zip_of({{"a", "harmless"}, {"b", "contents"}});
  bytes[bytes.find("contents")] ^= 1;
  const ZipArchive archive = from_bytes(bytes);
  EXPECT_EQ(archive.read("a", 100), "harmless");
  EXPECT_THAT([&] { archive.read("b", 100); },
              ThrowsMessage<CorruptFile>(AllOf(HasSubstr("entry 'b'"), HasSubstr("CRC"))));
  EXPECT_THAT([&] { archive.open("b", folder.path().string()); },
              ThrowsMessage<CorruptFile>(HasSubstr("entry 'b'")));
  EXPECT_THAT([&] { archive.read("c", 100); },
              ThrowsMessage<CorruptFile>(HasSubstr("t.zip: has no entry 'c'")));
}

TEST(ZipArchive, RefusesWhatIsTooLargeBeforeItExpands) {
  EXPECT_THAT(
      [] {
        from_bytes(zip_of({{"a", "12345"}})).read("a", 4);
      },
      ThrowsMessage<CorruptFile>(HasSubstr("holds 5 B, at most 4 B")));
  // The size in the central directory is a lie.
  std::string bytes = deflated_zip({{"a", std::string(100'000, 'z')}});
  const uint32_t honest = 100'000, lie = 0x7fffffff;
  for (size_t at = 0; at + 4 <= bytes.size(); ++at)
    if (std::memcmp(&bytes[at], &honest, 4) == 0) std::memcpy(&bytes[at], &lie, 4);
  EXPECT_THAT([&] { from_bytes(bytes).read("a", int64_t{1} << 40); },
              ThrowsMessage<CorruptFile>(HasSubstr("is said to expand from")));
}

TEST(ZipArchive, RefusesMethodsThatItDoesNotKnow) {
  std::string bytes = zip_of({{"a", "12345"}});
  bytes[bytes.rfind("PK\1\2") + 10] = 12;  // bzip2
  EXPECT_THAT([&] { from_bytes(bytes).read("a", 100); },
              ThrowsMessage<CorruptFile>(HasSubstr("compressed by method 12")));
}

TEST(ZipArchive, SurvivesEveryTruncationAndEveryFlippedBit) {
  const TemporaryFolder folder;
  const auto read_all = [&](const std::string& bytes) {
    const ZipArchive archive = from_bytes(bytes);
    for (const ZipEntry& entry : archive.entries()) {
      archive.read(entry.name, 1 << 20);
      archive.open(entry.name, folder.path().string());
    }
  };
  expect_harmless_damage(zip_of({{"a", "some contents"}, {"b/c", "more"}}), read_all);
  expect_harmless_damage(deflated_zip({{"a", std::string(300, 'z') + "abc"}}), read_all);
}

}  // namespace
}  // namespace plimsoll
