#include "plimsoll/formats/numpy/npz.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/numpy/npz_writer.h"
#include "tests/support/damage.h"
#include "tests/support/golden.h"
#include "tests/support/messages.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::message_of;

std::string golden_bytes(const std::string& name) {
  return testing::read_golden("numpy_files", name).bytes("file");
}

NpzFile parse(const std::string& bytes, const NpzOptions& options = {}) {
  return NpzFile(memory_source("t.npz", to_bytes(bytes)), options);
}

std::vector<float> floats_of(const NpyArray& array) {
  const HostTensor tensor = array.read();
  const auto* values = reinterpret_cast<const float*>(tensor.storage->data());
  return {values, values + tensor.spec.shape.elements()};
}

TEST(Npz, ReadsStoredAndCompressedArraysAlike) {
  for (const char* name : {"npz_stored", "npz_compressed"}) {
    SCOPED_TRACE(name);
    const NpzFile file = parse(golden_bytes(name));
    EXPECT_THAT(file.names(), ElementsAre("x", "y"));
    EXPECT_TRUE(file.contains("y"));
    EXPECT_FALSE(file.contains("z"));
    EXPECT_EQ(floats_of(file.array("x")),
              testing::read_golden("numpy_files", name).tensor("x").to_vector());
    EXPECT_EQ(file.array("y").spec(), (Spec{DType::int64, {6}}));
  }
}

TEST(Npz, NamesTheArraysThatAreThere) {
  EXPECT_EQ(message_of([] { parse(golden_bytes("npz_stored")).array("z"); }),
            "t.npz: expected an array 'z', found x, y");
}

TEST(Npz, AnnouncesWhatItWritesOutAndLeavesNothingBehind) {
  const TemporaryFolder folder;
  std::vector<Finding> findings;
  const NpzOptions options{.folder = folder.path().string(),
                           .announce = [&](const Finding& f) { findings.push_back(f); }};
  const NpyArray x = parse(golden_bytes("npz_compressed"), options).array("x");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(to_string(findings[0]), "note: t.npz/x.npy: is compressed; it is written out once, " +
                                        std::string("176 B in ") + folder.path().string());
  EXPECT_EQ(folder.count(), 0u);
  parse(golden_bytes("npz_stored"), options).array("x");
  EXPECT_EQ(findings.size(), 1u);
}

TEST(Npz, ReadsArraysWhoseOffsetStandsInZip64) {
  // The directory's 32-bit offset of y moves into an extra field, as in a file of over 4 GiB.
  std::string bytes = golden_bytes("npz_stored");
  const size_t entry = bytes.rfind("PK\1\2");
  const size_t name_end = entry + 46 + 5;
  const std::string offset = bytes.substr(entry + 42, 4);
  bytes.replace(entry + 42, 4, std::string(4, '\xff'));
  bytes.replace(entry + 30, 2, std::string{12, 0});
  bytes.insert(name_end, std::string{1, 0, 8, 0} + offset + std::string(4, '\0'));
  const size_t end = bytes.rfind("PK\5\6");
  bytes[end + 12] = static_cast<char>(bytes[end + 12] + 12);
  EXPECT_EQ(parse(bytes).array("y").rows(), 6);
}

TEST(Npz, NoticesDamageInsideOfAnArray) {
  std::string bytes = golden_bytes("npz_stored");
  const size_t last = bytes.find("PK\3\4", 4) - 1;  // of x
  bytes[last] = static_cast<char>(bytes[last] ^ 4);
  EXPECT_THROW(parse(bytes).array("x"), CorruptFile);
}

TEST(Npz, SurvivesDamage) {
  for (const char* name : {"npz_stored", "npz_compressed"})
    expect_harmless_damage(golden_bytes(name), [](const std::string& bytes) {
      const NpzFile file = parse(bytes);
      for (const std::string& array : file.names()) file.array(array).read(1 << 20);
    });
}

TEST(NpzWriter, WritesArraysWhoseRowsComeInTurn) {
  const TemporaryFolder folder;
  const std::vector<NpzWriter::NamedSpec> arrays = {{"a", {DType::float32, {2, 2}}},
                                                    {"b", {DType::uint8, {4}}}};
  NpzWriter writer(folder.path("p.npz"), arrays);
  const float rows[] = {1, 2, 3, 4};
  for (size_t row = 0; row < 2; ++row) {
    writer.append(0, std::as_bytes(std::span(rows).subspan(2 * row, 2)));
    writer.append(1, to_bytes("hi"));
  }
  writer.finish();
  EXPECT_EQ(folder.count(), 3u);  // two parts, until the writer goes
  const NpzFile file(folder.path("p.npz"));
  EXPECT_THAT(file.names(), ElementsAre("a", "b"));
  EXPECT_THAT(floats_of(file.array("a")), ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(file.array("b").spec(), (Spec{DType::uint8, {4}}));
}

TEST(NpzWriter, AppearsWholeOrNotAtAll) {
  const TemporaryFolder folder;
  {
    NpzWriter writer(folder.path("p.npz"), {{"a", {DType::float32, {2}}}});
    writer.append(0, to_bytes("1234"));
    EXPECT_THAT(message_of([&] { writer.finish(); }),
                HasSubstr("expected the 8 bytes of a, float32 (2,), got 4"));
  }
  EXPECT_EQ(folder.count(), 0u);
}

}  // namespace
}  // namespace plimsoll
