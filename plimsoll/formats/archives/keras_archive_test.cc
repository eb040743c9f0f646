#include "plimsoll/formats/archives/keras_archive.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/archives/zip_writer.h"
#include "tests/support/damage.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

using testing::HasSubstr;
using testing::StartsWith;
using testing::ThrowsMessage;

// By Keras; see fuzz/make_hdf5_corpus.py.
std::string keras_file() {
  return bytes_of(std::string(PLIMSOLL_SOURCE_DIR) + "/fuzz/corpus/keras_archive_fuzz/model.keras");
}

std::vector<float> values_of(const Hdf5Dataset& dataset) {
  std::vector<float> values(static_cast<size_t>(dataset.shape().elements()));
  dataset.read(DType::float32, std::as_writable_bytes(std::span(values)));
  return values;
}

void write_archive(const std::string& path, const std::vector<float>& kernel) {
  KerasArchiveWriter writer(path);
  writer.weights().write("layers/dense/vars/0",
                         {DType::float32, {static_cast<int64_t>(kernel.size())}},
                         std::as_bytes(std::span(kernel)));
  writer.finish(R"({"a": 1})", R"({"b": 2})");
}

TEST(KerasArchive, ReadsWhatKerasWrote) {
  const KerasArchive archive(memory_source("t.keras", to_bytes(keras_file())));
  EXPECT_THAT(archive.config(), StartsWith(R"({"module": "keras", "class_name": "Sequential")"));
  EXPECT_THAT(archive.metadata(), StartsWith(R"({"keras_version": "3.)"));
  const Hdf5File weights = archive.weights();
  EXPECT_EQ(weights.name, "t.keras/model.weights.h5");
  ASSERT_NE(weights.root.find_dataset("layers/dense/vars/0"), nullptr);
  EXPECT_EQ(values_of(*weights.root.find_dataset("layers/dense/vars/1")),
            (std::vector<float>{0, 0}));
}

TEST(KerasArchive, ReadsWhatItWroteAndLeavesNothingElse) {
  const TemporaryFolder folder;
  write_archive(folder.path("m.keras"), {1, 2, 3});
  EXPECT_EQ(folder.count(), 1u);
  const KerasArchive archive(folder.path("m.keras"));
  EXPECT_EQ(archive.config(), R"({"a": 1})");
  EXPECT_EQ(archive.metadata(), R"({"b": 2})");
  EXPECT_EQ(values_of(*archive.weights().root.find_dataset("layers/dense/vars/0")),
            (std::vector<float>{1, 2, 3}));
}

TEST(KerasArchive, IsTheSameBytesForTheSameContents) {
  const TemporaryFolder folder;
  write_archive(folder.path("a.keras"), {1, 2, 3});
  write_archive(folder.path("b.keras"), {1, 2, 3});
  EXPECT_EQ(bytes_of(folder.path("a.keras")), bytes_of(folder.path("b.keras")));
}

TEST(KerasArchive, LeavesTheOldFileWhereItIsNotFinished) {
  const TemporaryFolder folder;
  write_archive(folder.path("m.keras"), {1});
  const std::string before = bytes_of(folder.path("m.keras"));
  { KerasArchiveWriter(folder.path("m.keras")).weights().make_group("layers"); }
  EXPECT_EQ(bytes_of(folder.path("m.keras")), before);
  EXPECT_EQ(folder.count(), 1u);
}

TEST(KerasArchive, SaysWhatIsMissing) {
  const TemporaryFolder folder;
  ZipWriter writer(folder.path("m.keras"));
  writer.add("config.json", "{}");
  writer.add("metadata.json", "{}");
  writer.add("model.weights.npz", "");
  writer.finish();
  EXPECT_THAT([&] { KerasArchive(folder.path("m.keras")).weights(); },
              ThrowsMessage<CorruptFile>(HasSubstr("keeps its weights as npz")));
  ZipWriter(folder.path("empty.keras")).finish();
  EXPECT_THROW(KerasArchive(folder.path("empty.keras")), Error);
}

TEST(KerasArchive, SurvivesEveryTruncationAndEveryFlippedBit) {
  expect_harmless_damage(
      keras_file(),
      [](const std::string& bytes) {
        KerasArchive(memory_source("t.keras", to_bytes(bytes))).weights();
      },
      300);
}

}  // namespace
}  // namespace plimsoll
