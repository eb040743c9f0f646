// What of its data a run is known by.
#include "plimsoll/train/checkpoints/run_identity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <map>

#include "plimsoll/base/error.h"
#include "plimsoll/data/sources/generator.h"
#include "plimsoll/data/sources/image_folder.h"
#include "plimsoll/data/stages/shuffled.h"
#include "plimsoll/data/stages/stages.h"
#include "plimsoll/formats/checkpoint/checkpoint_folder.h"
#include "tests/support/faulty_file_system.h"
#include "tests/support/png_writer.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::png_file;

RunIdentity identity_of(const Source& source) {
  RunIdentity identity;
  describe_data(identity, "the data", source);
  return identity;
}

// What differs, as a run that goes on says it.
std::vector<std::string> changes(const RunIdentity& before, const RunIdentity& now) {
  FaultyFileSystem disk;
  CheckpointFolder folder("run", disk);
  folder.write(1, 1, [&](CheckpointWriter& file) {
    StateWriter state(file);
    save_identity(state, before);
  });
  std::vector<Finding> findings;
  const auto file = folder.newest(findings);
  return changes_since(StateReader(*file), now);
}

// Records of three bytes and two numbers, of which one may be changed, and of which some cannot be
// read.
struct Records {
  int64_t count = 300;
  int64_t changed = -1, bad = -1;
  int changed_field = 0;
  std::string error = "it is torn";

  SourcePtr source() const {
    return from_generator({{DType::uint8, {3}}, {DType::float32, {2}}}, count,
                          [it = *this](int64_t record, const RecordWriter& into) {
                            if (record == it.bad) throw CorruptFile(it.error);
                            const bool is_changed = record == it.changed;
                            for (uint8_t& byte : into.field<uint8_t>(0))
                              byte = static_cast<uint8_t>(record % 7);
                            for (float& number : into.field<float>(1)) number = 0.5f;
                            if (is_changed && it.changed_field == 0) into.field<uint8_t>(0)[2] = 99;
                            if (is_changed && it.changed_field == 1) into.field<float>(1)[1] = 2;
                          });
  }
};

TEST(RunIdentity, EachByteOfSmallDataCountsAndHasAPlace) {
  const RunIdentity before = identity_of(*Records().source());
  EXPECT_THAT(changes(before, identity_of(*Records().source())), IsEmpty());
  EXPECT_FALSE(before.contains("the data: files"));
  const std::map<int64_t, std::string> parts = {
      {0, "0 to 3"}, {4, "4 to 8"}, {157, "154 to 158"}, {299, "295 to 299"}};
  for (const auto& [record, part] : parts)
    for (const int field : {0, 1}) {
      const Records other = {.changed = record, .changed_field = field};
      EXPECT_THAT(changes(before, identity_of(*other.source())),
                  ElementsAre("the data: contents of " + part + " changed"));
    }
}

// The records around it are read with it, and count none the less.
TEST(RunIdentity, ARecordThatCannotBeReadIsKnownByItsError) {
  const Records torn = {.bad = 150};
  const RunIdentity before = identity_of(*torn.source());
  EXPECT_THAT(changes(before, identity_of(*torn.source())), IsEmpty());
  EXPECT_EQ(changes(before, identity_of(*Records().source())).size(), 1u);
  const Records otherwise = {.bad = 150, .error = "it is empty"};
  EXPECT_EQ(changes(before, identity_of(*otherwise.source())).size(), 1u);
  for (const int64_t record : {149, 151}) {
    const Records beside = {.changed = record, .bad = 150, .changed_field = 1};
    EXPECT_EQ(changes(before, identity_of(*beside.source())).size(), 1u) << record;
  }
}

TEST(RunIdentity, OfLargeDataSoManyRecordsAreReadSpreadOverAll) {
  constexpr int64_t kCount = 200'000;
  std::atomic<int64_t> reads = 0;
  const auto identity = [&](int64_t changed) {
    return identity_of(*from_generator({{DType::int32, {}}}, kCount,
                                       [&](int64_t record, const RecordWriter& into) {
                                         ++reads;
                                         into.field<int32_t>(0)[0] = record == changed ? 1 : 0;
                                       }));
  };
  const RunIdentity before = identity(-1);
  EXPECT_EQ(reads, 65'536);
  for (const int64_t end : {int64_t{0}, kCount - 1})
    EXPECT_EQ(changes(before, identity(end)).size(), 1u) << end;
}

TEST(RunIdentity, RecordsOfEveryBucketCount) {
  const auto identity = [](int64_t changed) {
    RunIdentity found;
    describe_data(found, "the data",
                  Dataset({Records{.count = 5, .changed = changed}.source(),
                           Records{.count = 7}.source(), Records{.count = 9}.source()}));
    return found;
  };
  EXPECT_THAT(changes(identity(-1), identity(-1)), IsEmpty());
  EXPECT_THAT(changes(identity(-1), identity(2)), ElementsAre("the data: bucket 1 changed"));
}

// --- files of records ----------------------------------------------------------------------------

constexpr int kPictures = 130;

std::string picture(const TemporaryFolder& folder, int i) {
  return folder.path("photos/cats/" + std::to_string(1000 + i) + ".png");
}

// Pictures that are so large in memory that only one in two of them is looked at.
SourcePtr pictures(const TemporaryFolder& folder) {
  return image_folder(folder.path("photos"), {.image_size = {512, 512}});
}

void write_picture(const std::string& path, int width) {
  std::vector<uint8_t> samples(static_cast<size_t>(3 * width));
  for (size_t i = 0; i < samples.size(); ++i) samples[i] = static_cast<uint8_t>(i * 37 % 251);
  std::ofstream(path, std::ios::binary) << png_file(width, 3, samples);
}

TEST(RunIdentity, APictureThatWasReplacedIsSeenThoughItIsNotReadAgain) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.path("photos/cats"));
  for (int i = 0; i < kPictures; ++i) write_picture(picture(folder, i), 4);
  const RunIdentity before = identity_of(*pictures(folder));
  EXPECT_THAT(changes(before, identity_of(*pictures(folder))), IsEmpty());
  write_picture(picture(folder, 1), 40);
  EXPECT_THAT(changes(before, identity_of(*pictures(folder))),
              ElementsAre("the data: files changed"));
}

// It did not look at files, and hashed the contents of records in another way.
TEST(RunIdentity, ARunOfAnEarlierVersionGoesOn) {
  const Tensor x = constant(std::vector<float>(8), {8, 1});
  const RunIdentity now = identity_of(*Dataset(x, x).source);
  RunIdentity earlier;
  for (const auto& [name, value] : now)
    if (name != "the data: files" && !name.starts_with("the data: contents")) earlier[name] = value;
  ASSERT_LT(earlier.size(), now.size());
  earlier["the data: record 0"] = "0123456789abcdef0123456789abcdef";
  EXPECT_THAT(changes(earlier, now), IsEmpty());
}

TEST(RunIdentity, StagesKnowTheFilesOfTheirRecords) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.path("photos/cats"));
  for (int i = 0; i < 4; ++i) write_picture(picture(folder, i), 4);
  const auto stages = [&] {
    const SourcePtr source = image_folder(folder.path("photos"), {.image_size = {4, 4}});
    std::vector<std::string> hashes;
    for (const SourcePtr& stage :
         {source, shuffled(take(source, 3), {}), concatenate({source, source}),
          zipped({source, Records{.count = 4}.source()})})
      hashes.push_back(stage->files_hash());
    return hashes;
  };
  const std::vector<std::string> before = stages();
  EXPECT_EQ(stages(), before);
  write_picture(picture(folder, 2), 40);
  for (size_t i = 0; i < before.size(); ++i) {
    EXPECT_EQ(before[i].size(), 32u);
    EXPECT_NE(stages()[i], before[i]) << i;
  }
  EXPECT_EQ(concatenate({Records().source()})->files_hash(), "");
}

}  // namespace
}  // namespace plimsoll
