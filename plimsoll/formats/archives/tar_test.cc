#include "plimsoll/formats/archives/tar.h"

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

std::string golden_tar(const char* name) {
  return testing::read_golden("record_files", name).bytes("file");
}

std::vector<TarMember> members_of(const std::string& bytes,
                                  TarReader::Extent extent = TarReader::Extent::archive) {
  const ByteSourcePtr source = memory_source("a.tar", to_bytes(bytes));
  TarReader reader(*source, extent);
  std::vector<TarMember> members;
  while (reader.next()) members.push_back(reader.member());
  return members;
}

class TarOfPython : public ::testing::TestWithParam<const char*> {};

TEST_P(TarOfPython, HasEveryFileByItsWholeName) {
  const std::string bytes = golden_tar(GetParam());
  const std::string folder = testing::read_golden("record_files", GetParam()).text("folder");
  const std::vector<TarMember> members = members_of(bytes);
  std::vector<std::string> names;
  for (const TarMember& member : members) names.push_back(member.name);
  EXPECT_THAT(names, ElementsAre(folder + "README", folder + "0000.PNG", folder + "0000.cls",
                                 folder + "0000.left.npy", folder + "0001.PNG", folder + "0001.cls",
                                 folder + "0001.left.npy"));
  const auto contents = [&](size_t i) {
    return bytes.substr(static_cast<size_t>(members[i].offset),
                        static_cast<size_t>(members[i].size));
  };
  EXPECT_EQ(contents(0), "no record");
  EXPECT_THAT(contents(1), ::testing::StartsWith("\x89PNG"));
  EXPECT_EQ(std::stoi(contents(5)),
            testing::read_golden("record_files", GetParam()).values("cls")[1]);
}

// The headers of a long name belong to the member.
TEST_P(TarOfPython, CanBeReadInParts) {
  const std::string bytes = golden_tar(GetParam());
  const std::vector<TarMember> members = members_of(bytes);
  for (size_t i = 1; i < members.size(); ++i) {
    EXPECT_EQ(members[i].begin, members[i - 1].end);
    const std::string part = bytes.substr(static_cast<size_t>(members[i].begin),
                                          static_cast<size_t>(members[i].end - members[i].begin));
    const auto found = members_of(part, TarReader::Extent::part);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].name, members[i].name);
    EXPECT_EQ(found[0].offset + members[i].begin, members[i].offset);
  }
}

TEST_P(TarOfPython, IsHarmlessWhenDamaged) {
  expect_harmless_damage(golden_tar(GetParam()),
                         [](const std::string& bytes) { members_of(bytes); });
}

INSTANTIATE_TEST_SUITE_P(, TarOfPython, ::testing::Values("tar_ustar", "tar_gnu", "tar_pax"));

TEST(Tar, SaysWhatIsWrong) {
  const std::string good = golden_tar("tar_gnu");
  const TarMember last = members_of(good).back();
  const auto cut_at = [&](int64_t end) {
    return message_of([&] { members_of(good.substr(0, static_cast<size_t>(end))); });
  };
  EXPECT_THAT(cut_at(last.end), HasSubstr("a.tar: is cut off: the blocks of zeros that end a tar "
                                          "archive are missing"));
  EXPECT_THAT(cut_at(last.offset + last.size - 1),
              HasSubstr("is cut off: '" + last.name + "' is said to have " +
                        std::to_string(last.size) + " bytes, " + std::to_string(last.size - 1)));
  EXPECT_THAT(message_of([&] { members_of(""); }), HasSubstr("is not a tar archive: it has 0"));
  EXPECT_THAT(message_of([&] { members_of(std::string(600, 'x')); }),
              HasSubstr("a.tar: is not a tar archive (at byte 0)"));
  EXPECT_THAT(message_of([&] { members_of("\x1f\x8b" + std::string(600, 'x')); }),
              HasSubstr("is compressed (gzip), so no member can be read by itself"));
  std::string damaged = good;
  const int64_t second = members_of(good)[1].begin;
  damaged[static_cast<size_t>(second) + 3] ^= 1;
  EXPECT_THAT(message_of([&] { members_of(damaged); }),
              HasSubstr("the checksum of a header is wrong (at byte " + std::to_string(second)));
}

// A member of 8 GiB and more has its size as a binary number; here of one byte, in GNU's way.
TEST(Tar, ReadsBinarySizes) {
  std::string header(512, '\0');
  header.replace(0, 5, "a.txt");
  header[124] = static_cast<char>(0x80);
  header[135] = 1;
  header[156] = '0';
  int sum = 8 * ' ';
  for (const char c : header) sum += static_cast<unsigned char>(c);
  char text[8];
  std::snprintf(text, sizeof text, "%06o", sum);
  header.replace(148, 7, std::string(text, 7));
  const auto members = members_of(header + "x" + std::string(511 + 1024, '\0'));
  ASSERT_EQ(members.size(), 1u);
  EXPECT_EQ(members[0].name, "a.txt");
  EXPECT_EQ(members[0].size, 1);
}

}  // namespace
}  // namespace plimsoll
