#include "plimsoll/data/sources/hdf5_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/hdf5/hdf5_writer.h"
#include "tests/support/messages.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::message_of;

// By h5py; see fuzz/make_hdf5_corpus.py.
std::string corpus_file(const std::string& name) {
  return std::string(PLIMSOLL_SOURCE_DIR) + "/fuzz/corpus/hdf5_fuzz/" + name;
}

TEST(Hdf5Source, ReadsRowsOfDatasetsInOnePieceInPlace) {
  const TemporaryFolder folder;
  const std::string path = folder.path("data.h5");
  const std::vector<float> x = {0, 1, 10, 11, 20, 21};
  const std::vector<int32_t> y = {5, 6, 7};
  Hdf5Writer writer(path);
  writer.write("train/x", {DType::float32, {3, 2}}, std::as_bytes(std::span(x)));
  writer.write("y", {DType::int32, {3}}, std::as_bytes(std::span(y)));
  writer.finish();
  EXPECT_THAT(hdf5_names(path), ElementsAre("y", "train/x"));
  std::vector<std::string> notes;
  const SourcePtr source =
      hdf5_source(path, {"train/x", "y"},
                  {.announce = [&](const Finding& note) { notes.push_back(note.what); }});
  EXPECT_EQ(source->size(), 3);
  EXPECT_EQ(source->fields(), (Specs{{DType::float32, {2}}, {DType::int32, {}}}));
  EXPECT_EQ(source->name(1), path + "[1]");
  std::vector<float> row(2);
  int32_t label = 0;
  std::byte* const into[] = {reinterpret_cast<std::byte*>(row.data()),
                             reinterpret_cast<std::byte*>(&label)};
  source->read(1, into);
  EXPECT_THAT(row, ElementsAre(10, 11));
  EXPECT_EQ(label, 6);
  EXPECT_TRUE(notes.empty());
}

TEST(Hdf5Source, WritesChunksOutOnceAndSaysSo) {
  const TemporaryFolder folder;
  std::vector<std::string> notes;
  const SourcePtr source =
      hdf5_source(corpus_file("compressed.h5"), {"x"},
                  {.folder = folder.path().string(),
                   .announce = [&](const Finding& note) { notes.push_back(to_string(note)); }});
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_THAT(notes[0],
              HasSubstr("compressed.h5/x: is in chunks; it is written out once, 420 B in"));
  EXPECT_EQ(folder.count(), 0u);
  std::vector<float> row(15);
  std::byte* const into[] = {reinterpret_cast<std::byte*>(row.data())};
  source->read(6, into);
  EXPECT_EQ(row[14], 642);
}

TEST(Hdf5Source, NamesWhatIsThere) {
  const std::string path = corpus_file("chunked.h5");
  EXPECT_THAT(message_of([&] { hdf5_source(path, {"z"}); }),
              HasSubstr("chunked.h5: expected a dataset 'z' of numbers, found none, x, y"));
  EXPECT_THAT(message_of([&] {
                hdf5_source(path, {"x", "none"});
              }),
              HasSubstr("the arrays must have the same number of samples, found 7 in"));
  EXPECT_THAT(message_of([&] { hdf5_source(corpus_file("lzf.h5"), {"a"}); }),
              HasSubstr("or with h5repack -f NONE -l CONTI FROM TO"));
}

TEST(Hdf5Source, KnowsTheFilesOfKeras) {
  EXPECT_TRUE(is_keras_hdf5(corpus_file("keras.weights.h5")));
  EXPECT_TRUE(is_keras_hdf5(corpus_file("keras_whole.h5")));
  EXPECT_FALSE(is_keras_hdf5(corpus_file("types.h5")));
}

}  // namespace
}  // namespace plimsoll
