#include "plimsoll/formats/hdf5/hdf5_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <cstdlib>

#include <cmath>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/hdf5/hdf5_writer.h"
#include "tests/support/damage.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;
using testing::ThrowsMessage;

template <class T>
std::span<const std::byte> bytes_of(const std::vector<T>& values) {
  return std::as_bytes(std::span(values));
}

template <class T>
std::vector<T> values_of(const Hdf5Dataset* dataset) {
  if (dataset == nullptr) throw std::runtime_error("there is no such dataset");
  std::vector<T> values(static_cast<size_t>(dataset->shape().elements()));
  dataset->read(DTypeOf<T>::value, std::as_writable_bytes(std::span(values)));
  return values;
}

// Reads everything, as a model would.
void read_all(const Hdf5Group& group) {
  for (const auto& [name, dataset] : group.datasets)
    if (dataset.is_numeric()) values_of<float>(&dataset);
  for (const auto& [name, child] : group.groups) read_all(child);
}

void read_all(const std::string& bytes) {
  read_all(read_hdf5(memory_source("t.h5", to_bytes(bytes))).root);
}

std::string corpus(const std::string& name) {
  return plimsoll::bytes_of(std::string(PLIMSOLL_SOURCE_DIR) + "/fuzz/corpus/hdf5_fuzz/" + name);
}

TEST(Hdf5, ReadsWhatWasWritten) {
  const TemporaryFolder folder;
  const std::vector<float> kernel = {1, 2, 3, 4, 5, 6};
  const std::vector<int64_t> steps = {int64_t{1} << 40};
  const std::vector<uint32_t> seeds = {7, 0xffffffff};
  Hdf5Writer writer(folder.path("a.h5"));
  writer.make_group("empty/inner");
  writer.write("layers/dense/vars/0", {DType::float32, {2, 3}}, bytes_of(kernel));
  writer.write("layers/dense/vars/1", {DType::float32, {0, 3}}, {});
  writer.write("steps", {DType::int64, {}}, bytes_of(steps));
  writer.write("seeds", seeds);
  writer.set_attribute("layers/dense/vars", "name", "gr\xc3\xbc\xc3\x9f");
  writer.set_attribute("", "layer_names", std::vector<std::string>{"a", "", "ccc"});
  writer.set_attribute("", "nothing", std::vector<std::string>{});
  writer.finish();

  const Hdf5File file = read_hdf5(file_source(folder.path("a.h5")));
  const Hdf5Dataset* read = file.root.find_dataset("layers/dense/vars/0");
  EXPECT_EQ(values_of<float>(read), kernel);
  EXPECT_EQ(read->shape(), (Shape{2, 3}));
  EXPECT_EQ(read->path(), "/layers/dense/vars/0");
  EXPECT_EQ(read->dtype(), DType::float32);
  EXPECT_EQ(file.root.find_dataset("layers/dense/vars/1")->shape(), (Shape{0, 3}));
  EXPECT_EQ(values_of<int64_t>(file.root.find_dataset("steps")), steps);
  EXPECT_THAT(values_of<int64_t>(file.root.find_dataset("seeds")), ElementsAre(7, 0xffffffff));
  EXPECT_NE(file.root.find_group("empty/inner"), nullptr);
  EXPECT_EQ(file.root.find_group("empty/none/inner"), nullptr);
  EXPECT_EQ(file.root.find_dataset("empty"), nullptr);
  EXPECT_THAT(file.root.find_group("layers/dense/vars")->attributes.at("name").text,
              ElementsAre("gr\xc3\xbc\xc3\x9f"));
  EXPECT_THAT(file.root.attributes.at("layer_names").text, ElementsAre("a", "", "ccc"));
  EXPECT_EQ(file.root.attributes.at("nothing").shape, (Shape{0}));
  EXPECT_FALSE(file.root.attributes.at("nothing").is_text);
}

TEST(Hdf5, ReadsGroupsOfManyMembers) {
  const TemporaryFolder folder;
  Hdf5Writer writer(folder.path("a.h5"));
  for (int i = 0; i < 3000; ++i) {
    const std::vector<int32_t> value = {i};
    writer.write("many/" + std::to_string(i), {DType::int32, {1}}, bytes_of(value));
  }
  writer.finish();
  const Hdf5File file = read_hdf5(file_source(folder.path("a.h5")));
  ASSERT_EQ(file.root.find_group("many")->datasets.size(), 3000u);
  for (int i = 0; i < 3000; ++i)
    EXPECT_THAT(values_of<int32_t>(file.root.find_dataset("many/" + std::to_string(i))),
                ElementsAre(i));
}

TEST(Hdf5, WritesTheSameBytesForTheSameCalls) {
  const TemporaryFolder folder;
  const std::vector<float> values(1000, 1.5f);
  for (const char* name : {"a.h5", "b.h5"}) {
    Hdf5Writer writer(folder.path(name));
    writer.write("x/y", {DType::float32, {1000}}, bytes_of(values));
    writer.set_attribute("x", "name", "z");
    writer.finish();
  }
  EXPECT_EQ(plimsoll::bytes_of(folder.path("a.h5")), plimsoll::bytes_of(folder.path("b.h5")));
}

// By h5py; see fuzz/make_hdf5_corpus.py.
TEST(Hdf5, ConvertsNumbersOfEveryType) {
  const Hdf5File file = read_hdf5(memory_source("t.h5", to_bytes(corpus("types.h5"))));
  for (const char* name : {"<f2", "<f4", "<f8", ">f2", ">f4", ">f8", "bfloat16"})
    EXPECT_THAT(values_of<float>(file.root.find_dataset(name)), ElementsAre(1.5f, -2, 0, 96))
        << name;
  for (const char* name : {"<i1", "<i2", "<i4", "<i8", ">i2", ">i4", ">i8"})
    EXPECT_THAT(values_of<int32_t>(file.root.find_dataset(name)), ElementsAre(1, -2, 0, 96))
        << name;
  for (const char* name : {"<u1", "<u2", "<u4", "<u8", ">u2", ">u4", ">u8"})
    EXPECT_THAT(values_of<int64_t>(file.root.find_dataset(name)), ElementsAre(1, 2, 0, 96)) << name;
  EXPECT_THAT(values_of<uint8_t>(file.root.find_dataset("bool")), ElementsAre(1, 0));
  EXPECT_THAT(values_of<float>(file.root.find_dataset("scalar")), ElementsAre(0.25f));
  EXPECT_THAT(values_of<uint8_t>(file.root.find_dataset("<i2")), ElementsAre(1, 0, 0, 96));
  EXPECT_THAT(values_of<float>(file.root.find_dataset("half")),
              ElementsAre(65504.f, 0x1p-24f, -0x1p-14f, INFINITY,
                          testing::Truly([](float x) { return std::isnan(x); })));
  EXPECT_THAT([&] { values_of<float>(file.root.find_dataset("text")); },
              ThrowsMessage<CorruptFile>(HasSubstr("/text does not hold numbers")));
}

TEST(Hdf5, ReadsTextOfEveryType) {
  const Hdf5File file = read_hdf5(memory_source("t.h5", to_bytes(corpus("types.h5"))));
  const auto& attributes = file.root.attributes;
  EXPECT_THAT(attributes.at("variable").text, ElementsAre("gr\xc3\xbc\xc3\x9f"));
  EXPECT_THAT(attributes.at("bytes").text, ElementsAre("ascii"));
  EXPECT_THAT(attributes.at("fixed").text, ElementsAre("fixed"));
  EXPECT_THAT(attributes.at("list").text, ElementsAre("a", "bcd", ""));
  EXPECT_THAT(attributes.at("fixed_list").text, ElementsAre("a", "bcd"));
  EXPECT_FALSE(attributes.at("number").is_text);
}

// Element (i, j, k) is 100 i + 10 j + k.
std::vector<float> counted_elements() {
  std::vector<float> values;
  for (int i = 0; i < 7; ++i)
    for (int j = 0; j < 5; ++j)
      for (int k = 0; k < 3; ++k) values.push_back(static_cast<float>(100 * i + 10 * j + k));
  return values;
}

TEST(Hdf5, ReadsChunksAndExpandsThem) {
  const Hdf5File chunked = read_hdf5(memory_source("t.h5", to_bytes(corpus("chunked.h5"))));
  const Hdf5File compressed = read_hdf5(memory_source("t.h5", to_bytes(corpus("compressed.h5"))));
  EXPECT_EQ(values_of<float>(chunked.root.find_dataset("x")), counted_elements());
  EXPECT_THAT(values_of<int32_t>(chunked.root.find_dataset("y")), ElementsAre(0, 1, 2, 3, 4, 5, 6));
  EXPECT_TRUE(values_of<float>(chunked.root.find_dataset("none")).empty());
  for (const char* name : {"x", "y", "shuffled"})
    EXPECT_EQ(values_of<float>(compressed.root.find_dataset(name)), counted_elements()) << name;
  const std::vector<uint8_t> many = values_of<uint8_t>(compressed.root.find_dataset("many"));
  for (size_t i = 0; i < 200; ++i) EXPECT_EQ(many[i], i);
}

TEST(Hdf5, WritesChunksOutSoThatAnyRowIsOneRead) {
  const TemporaryFolder folder;
  const Hdf5File file = read_hdf5(memory_source("t.h5", to_bytes(corpus("compressed.h5"))));
  for (const char* name : {"x", "y", "shuffled"}) {
    const Hdf5Dataset* dataset = file.root.find_dataset(name);
    EXPECT_FALSE(dataset->is_in_one_piece());
    const Hdf5Dataset whole = dataset->in_one_piece(folder.path().string());
    EXPECT_TRUE(whole.is_in_one_piece());
    std::vector<std::byte> row(static_cast<size_t>(15 * size_of(whole.dtype())));
    whole.read_rows(4, 1, row.data());
    visit_dtype(whole.dtype(), [&]<class T>(T) {
      EXPECT_EQ(reinterpret_cast<const T*>(row.data())[4], T(411)) << name;
    });
    EXPECT_THAT([&] { whole.read_rows(6, 2, row.data()); },
                ThrowsMessage<InvalidArgument>(HasSubstr("rows 6 to 8")));
  }
  EXPECT_EQ(folder.count(), 0u);
}

TEST(Hdf5, ReadsTheWeightsOfKeras) {
  const Hdf5File file = read_hdf5(memory_source("t.h5", to_bytes(corpus("keras.weights.h5"))));
  const Hdf5Group* vars = file.root.find_group("layers/dense/vars");
  ASSERT_NE(vars, nullptr);
  EXPECT_THAT(vars->attributes.at("name").text, ElementsAre("d"));
  EXPECT_EQ(vars->datasets.at("0").shape(), (Shape{1, 2}));
  EXPECT_EQ(vars->datasets.at("1").shape(), (Shape{2}));
}

TEST(Hdf5, RefusesWhatItDoesNotRead) {
  const std::pair<const char*, const char*> cases[] = {{"soft_link.h5", "soft link"},
                                                       {"external_link.h5", "newer format"},
                                                       {"external_data.h5", "another file"},
                                                       {"virtual.h5", "/v"},
                                                       {"lzf.h5", "stored with lzf; gzip and"},
                                                       {"fletcher32.h5", "stored with fletcher32"},
                                                       {"unwritten_chunk.h5", "never written"},
                                                       {"latest.h5", "version 3 of the format"},
                                                       {"compound.h5", "class 6"},
                                                       {"unwritten.h5", "never written"}};
  for (const auto& [name, reason] : cases)
    EXPECT_THAT([&] { read_all(corpus(name)); },
                ThrowsMessage<CorruptFile>(AllOf(StartsWith("t.h5: "), HasSubstr(reason))))
        << name;
}

TEST(Hdf5, SaysThatAFileIsNoHdf5OrIsCutOff) {
  EXPECT_THAT([] { read_all(std::string()); },
              ThrowsMessage<CorruptFile>(HasSubstr("t.h5: is not an HDF5 file")));
  EXPECT_THAT([] { read_all(std::string(1000, 'x')); },
              ThrowsMessage<CorruptFile>(HasSubstr("t.h5: the beginning of the file")));
  const std::string whole = corpus("keras.weights.h5");
  EXPECT_THAT([&] { read_all(whole.substr(0, whole.size() - 1)); },
              ThrowsMessage<CorruptFile>(HasSubstr("it was cut off")));
}

TEST(Hdf5, SurvivesEveryTruncationAndEveryFlippedBit) {
  for (const char* name : {"keras.weights.h5", "types.h5", "chunked.h5", "compressed.h5"})
    expect_harmless_damage(
        corpus(name), [](const std::string& bytes) { read_all(bytes); }, 400);
}

// The system refuses to let a file grow, as a full disk does. Ends with 7 where that is an error
// like any other, and nothing crashes when the process ends.
[[noreturn]] void write_more_than_is_allowed(const std::string& path) {
  const rlimit limit{100000, 100000};
  setrlimit(RLIMIT_FSIZE, &limit);
  std::signal(SIGXFSZ, SIG_IGN);
  const std::vector<float> values(10000);
  for (int attempt = 0; attempt < 2; ++attempt) try {
      Hdf5Writer writer(path, "model.h5");
      for (int i = 0; i < 10; ++i)
        writer.write("layers/" + std::to_string(i), {DType::float32, {10000}}, bytes_of(values));
      writer.finish();
      std::exit(0);
    } catch (const IoError& error) {
      if (std::string(error.what()) != "model.h5: cannot be written: File too large") std::exit(1);
    }
  std::exit(7);
}

TEST(Hdf5WriterDeathTest, EndsInOrderWhereTheDiskIsFull) {
  const TemporaryFolder folder;
  EXPECT_EXIT(write_more_than_is_allowed(folder.path("a.h5")), ::testing::ExitedWithCode(7), "");
}

TEST(Hdf5Writer, WritesTextsOfAnyLengthAndThousandsOfThem) {
  const TemporaryFolder folder;
  const std::string config(3'000'000, 'c');
  std::vector<std::string> names;
  for (int i = 0; i < 4000; ++i) names.push_back(std::string(static_cast<size_t>(i % 50), 'n'));
  Hdf5Writer writer(folder.path("a.h5"));
  writer.set_attribute("", "config", config);
  writer.set_attribute("", "names", names);
  writer.set_attribute("x", "after", "b");
  writer.finish();
  const Hdf5File file = read_hdf5(file_source(folder.path("a.h5")));
  EXPECT_THAT(file.root.attributes.at("config").text, ElementsAre(config));
  EXPECT_EQ(file.root.attributes.at("names").text, names);
  EXPECT_THAT(file.root.find_group("x")->attributes.at("after").text, ElementsAre("b"));
}

TEST(Hdf5Writer, SaysWhatCannotBeWritten) {
  const TemporaryFolder folder;
  EXPECT_THAT([&] { Hdf5Writer(folder.path("none/a.h5")); },
              ThrowsMessage<IoError>(HasSubstr("none/a.h5: cannot be opened: No such file")));
  Hdf5Writer writer(folder.path("a.h5"));
  const std::vector<float> value = {1};
  writer.write("x/0", {DType::float32, {1}}, bytes_of(value));
  EXPECT_THAT(
      [&] {
        writer.write("x/0", {DType::float32, {1}}, bytes_of(value));
      },
      ThrowsMessage<IoError>(HasSubstr("a.h5: x/0 cannot be written: the name is taken")));
  EXPECT_THAT([&] { writer.make_group("x/0/y"); },
              ThrowsMessage<IoError>(HasSubstr("a.h5: x/0 cannot be written: it is a dataset")));
  writer.set_attribute("x", "name", "a");
  EXPECT_THAT([&] { writer.set_attribute("x", "name", "b"); },
              ThrowsMessage<IoError>(HasSubstr("x, attribute name cannot be written: the name")));
  EXPECT_THAT(
      [&] { writer.set_attribute("", "many", std::vector<std::string>(4096)); },
      ThrowsMessage<IoError>(HasSubstr("/, attribute many cannot be written: it has more")));
}

}  // namespace
}  // namespace plimsoll
