#include "plimsoll/data/kinds/data_kind_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "plimsoll/data/kinds/find_data.h"
#include "plimsoll/data/kinds/open_fields.h"
#include "plimsoll/formats/numpy/npy_writer.h"
#include "tests/support/messages.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::message_of;

TEST(DataKinds, EveryRowIsComplete) {
  std::set<std::string_view> names;
  for (const DataKind* kind : data_kinds()) {
    EXPECT_TRUE(names.insert(kind->name).second) << kind->name;
    EXPECT_FALSE(kind->files.empty()) << kind->name;
    EXPECT_FALSE(kind->help.empty()) << kind->name;
    EXPECT_NE(kind->recognises, nullptr) << kind->name;
    EXPECT_NE(kind->open, nullptr) << kind->name;
    EXPECT_LE(kind->count.least, kind->count.most) << kind->name;
    EXPECT_THAT(kinds_text(), HasSubstr(std::string(kind->files)));
  }
}

TEST(DataKinds, EveryOptionIsTakenBySome) {
  for (const DataOption option : kDataOptions)
    EXPECT_FALSE(kinds_taking(option).empty()) << flag_of(option);
  EXPECT_THAT(kinds_taking(DataOption::target), HasSubstr(".csv files"));
}

class FindData : public ::testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& contents = "") const {
    const std::filesystem::path path = folder_.path(name);
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << contents;
    return path.string();
  }
  std::string_view kind(const std::string& path) const { return find_data(path).kind->name; }

  TemporaryFolder folder_;
};

TEST_F(FindData, KnowsFilesByTheirStartOrTheirName) {
  EXPECT_EQ(kind(file("a.bin", "\x93NUMPY\x01")), "npy");
  EXPECT_EQ(kind(file("a.csv")), "csv");
  EXPECT_EQ(kind(file("a.tsv")), "csv");
  EXPECT_EQ(kind(file("a.jsonl")), "jsonl");
  EXPECT_EQ(kind(file("a.tfrecord-00001")), "tfrecord");
  EXPECT_EQ(kind(file("a.tar")), "tar");
  EXPECT_EQ(kind(file("a-idx1-ubyte")), "idx");
  EXPECT_EQ(kind(std::string(PLIMSOLL_SOURCE_DIR) + "/fuzz/corpus/hdf5_fuzz/chunked.h5"), "hdf5");
  EXPECT_THAT(
      message_of([&] {
        find_data(std::string(PLIMSOLL_SOURCE_DIR) + "/fuzz/corpus/hdf5_fuzz/keras_whole.h5");
      }),
      HasSubstr("keras_whole.h5: expected "));
  EXPECT_THAT(message_of([&] { find_data(file("a.pdf")); }), HasSubstr("a.pdf: expected .npz"));
  EXPECT_THAT(message_of([&] { find_data(folder_.path("none.csv")); }), HasSubstr("No such file"));
}

TEST_F(FindData, LooksIntoFolders) {
  file("shards/b.tar");
  file("shards/a.tar");
  file("shards/notes.md");
  const FoundData shards = find_data(folder_.path("shards"));
  EXPECT_EQ(shards.kind->name, "tar");
  EXPECT_THAT(shards.files,
              ElementsAre(folder_.path("shards/a.tar"), folder_.path("shards/b.tar")));
  file("photos/cats/1.jpg");
  EXPECT_EQ(kind(folder_.path("photos")), "images");
}

TEST_F(FindData, AFolderIsWhatMostOfItIs) {
  for (const char* name : {"cats/1.jpg", "cats/2.jpg", "dogs/a.tar.png", "dogs/b.png"})
    file(std::string("photos/") + name);
  file("photos/photos.tar");
  file("photos/train.tfrecord");
  file("photos/cats/notes.md");
  file("photos/.DS_Store");
  const FoundData photos = find_data(folder_.path("photos"));
  EXPECT_EQ(photos.kind->name, "images");
  EXPECT_THAT(photos.files, ElementsAre(folder_.path("photos")));
  EXPECT_THAT(photos.others, ElementsAre("photos.tar", "train.tfrecord", "cats/notes.md"));
  const auto finding = photos.about_others("photos");
  ASSERT_TRUE(finding.has_value());
  EXPECT_EQ(finding->severity, Finding::Severity::warning);
  EXPECT_THAT(finding->what, HasSubstr("is read as folders of images; 3 other file(s) in it are "
                                       "left out: photos.tar, train.tfrecord, cats/notes.md"));
}

TEST_F(FindData, AFolderOfArchivesNamesItsImages) {
  for (const char* name : {"a.tar", "b.tar", "preview.jpg", "README.md"})
    file(std::string("shards/") + name);
  const FoundData shards = find_data(folder_.path("shards"));
  EXPECT_EQ(shards.kind->name, "tar");
  EXPECT_THAT(shards.others, ElementsAre("preview.jpg", "README.md"));
  EXPECT_TRUE(shards.has_other_data);
}

TEST_F(FindData, AFolderOfNothingThatIsKnownSaysWhatIsThere) {
  file("empty/x.pdf");
  EXPECT_THAT(
      message_of([&] { find_data(folder_.path("empty")); }),
      HasSubstr("empty: expected a folder of images or texts, or of .tar or .tfrecord files; "
                "found 1 "
                "other file(s), such as x.pdf"));
}

TEST_F(FindData, AnImageOfAnyNameIsNoArchive) {
  for (const char* name : {"a.tar.png", "a.tfrecord.jpg", "a.jpg"})
    EXPECT_EQ(kind(file(name)), "image_files");
}

TEST_F(FindData, FormatsOfOthersAreNamedWithAWayOut) {
  EXPECT_THAT(
      message_of([&] { find_data(file("a.parquet", "PAR1....")); }),
      HasSubstr("a.parquet: is a Parquet file and not read here; write it as CSV, in Python: "
                "pandas.read_parquet(FROM).to_csv(TO, index=False)"));
  EXPECT_THAT(message_of([&] { find_data(file("a.xlsx", "PK\x03\x04")); }),
              HasSubstr("a.xlsx: is an Excel workbook and not read here"));
  EXPECT_THAT(message_of([&] { find_data(file("a.gz", "\x1f\x8b\x08")); }),
              HasSubstr("a.gz: is compressed with gzip and not read here; expand it with gunzip"));
}

TEST_F(FindData, SeveralFilesAreOfOneKind) {
  const std::string a = file("a.tar"), b = file("b.tar"), table = file("t.csv");
  EXPECT_THAT(find_data(a + "," + b).files, ElementsAre(a, b));
  EXPECT_THAT(message_of([&] { find_data(a + "," + table); }),
              HasSubstr("t.csv is not one of them, or not of the same kind as " + a));
  EXPECT_THAT(message_of([&] { find_data(table + "," + table); }),
              HasSubstr("several files must all be of one of these kinds"));
}

}  // namespace
}  // namespace plimsoll
