#include "plimsoll/train/data/open_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "plimsoll/formats/numpy/npy_writer.h"
#include "plimsoll/formats/numpy/npz_writer.h"
#include "plimsoll/nn/nn.h"
#include "plimsoll/ops/movement/movement.h"
#include "tests/support/golden.h"
#include "tests/support/messages.h"
#include "tests/support/tar_writer.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::message_of;

Sequential classifier(int64_t inputs, int64_t classes,
                      const char* loss = "sparse_categorical_crossentropy") {
  Sequential model({InputLayer({.shape = {inputs}, .name = "features"}),
                    Dense({.units = classes, .activation = "softmax", .name = "kind"})});
  model.compile({.loss = loss});
  return model;
}

Model two_sided() {
  const Tensor left = Input({.shape = {2}, .name = "left"});
  const Tensor right = Input({.shape = {1}, .name = "right"});
  const Tensor both = concatenate({left, right});
  Model model({left, right},
              {Dense({.units = 1, .name = "a"})(both), Dense({.units = 1, .name = "b"})(both)});
  model.compile({.loss = "mse"});
  return model;
}

Sequential image_model(int64_t classes, const char* loss) {
  Sequential model({InputLayer({.shape = {4, 6, 3}}), Flatten(),
                    Dense({.units = classes, .activation = "softmax", .name = "kind"})});
  model.compile({.loss = loss});
  return model;
}

class OpenData : public ::testing::Test {
 protected:
  // Arrays of zeros with 3 rows.
  std::string npz(const std::vector<std::pair<std::string, Shape>>& arrays) const {
    std::vector<NpzWriter::NamedSpec> specs;
    for (const auto& [name, row] : arrays)
      specs.push_back({name, {DType::float32, row.with(0, 3)}});
    NpzWriter writer(path("data.npz"), specs);
    for (size_t i = 0; i < specs.size(); ++i)
      writer.append(i, std::vector<std::byte>(static_cast<size_t>(specs[i].second.bytes())));
    writer.finish();
    return path("data.npz");
  }

  std::string csv(const std::string& text) const {
    std::ofstream(path("data.csv")) << text;
    return path("data.csv");
  }

  std::string images(const std::vector<std::string>& files) const {
    const std::string bytes = testing::read_golden("images", "png_rgb_8bit").bytes("file");
    for (const std::string& file : files) {
      std::filesystem::create_directories(
          std::filesystem::path(path("photos/" + file)).parent_path());
      std::ofstream(path("photos/" + file), std::ios::binary) << bytes;
    }
    return path("photos");
  }

  std::string path(const std::string& name) const { return folder_.path(name); }

  TemporaryFolder folder_;
};

TEST_F(OpenData, FindsXAndYInANpz) {
  const auto opened = open_data(npz({{"y", {}}, {"x", {4}}}), classifier(4, 3), {});
  EXPECT_EQ(opened.kind->name, "npz");
  EXPECT_EQ(opened.data.source->fields(), (Specs{{DType::float32, {4}}, {DType::float32, {}}}));
  EXPECT_EQ(opened.data.targets, 1);
  EXPECT_EQ(opened.data.sample_weights, 0);
}

TEST_F(OpenData, FindsArraysByTheNamesOfInputsAndOutputs) {
  const std::string file =
      npz({{"b", {1}}, {"right", {1}}, {"sample_weight", {}}, {"a", {1}}, {"left", {2}}});
  const Dataset data = open_data(file, two_sided(), {}).data;
  EXPECT_EQ(data.source->fields()[0].shape, (Shape{2}));
  EXPECT_EQ(data.targets, 2);
  EXPECT_EQ(data.sample_weights, 1);
  EXPECT_EQ(open_data(file, two_sided(), {.targets = false}).data.source->fields().size(), 2u);
}

TEST_F(OpenData, NamesTheArrayThatIsMissing) {
  EXPECT_EQ(message_of([&] {
              open_data(npz({{"images", {4}}}), classifier(4, 3), {});
            }),
            path("data.npz") +
                ": expected an array 'x' or 'features' for the input of the "
                "model, found images");
  EXPECT_THAT(message_of([&] {
                open_data(npz({{"left", {2}}}), two_sided(), {});
              }),
              HasSubstr("expected an array 'right' for the input of the model, found left"));
}

TEST_F(OpenData, TakesANpyToPredict) {
  write_npy(path("x.npy"), {{DType::float32, {2, 4}}, std::make_shared<Storage>(32)});
  const auto opened = open_data(path("x.npy"), classifier(4, 3), {.targets = false});
  EXPECT_EQ(opened.kind->name, "npy");
  EXPECT_THAT(message_of([&] { open_data(path("x.npy"), classifier(4, 3), {}); }),
              HasSubstr("is one array without targets"));
  EXPECT_THAT(message_of([&] { open_data(path("x.npy"), two_sided(), {.targets = false}); }),
              HasSubstr("the model has the inputs left, right"));
}

TEST_F(OpenData, TakesColumnsOfACsv) {
  const std::string file = csv("p,q,kind,id\n1,2,cat,7\n3,4,dog,8\n");
  const DataOptions options{.target = {"kind"}, .ignored = {"id"}};
  const Dataset data = open_data(file, classifier(2, 2), options).data;
  EXPECT_EQ(data.source->fields(), (Specs{{DType::float32, {2}}, {DType::int32, {}}}));
  EXPECT_THAT(data.source->class_names(), ElementsAre("cat", "dog"));
  const Dataset vectors =
      open_data(file, classifier(2, 2, "categorical_crossentropy"), options).data;
  EXPECT_EQ(vectors.source->fields()[1], (Spec{DType::float32, {2}}));
  EXPECT_THAT(message_of([&] { open_data(file, classifier(2, 2), {}); }),
              HasSubstr("name the column to learn with --target"));
  EXPECT_THAT(message_of([&] { open_data(file, classifier(2, 2), {.target = {"kind"}}); }),
              HasSubstr("takes 2 numbers, the file has 3 columns for it: p, q, id (leave some out "
                        "with --ignore)"));
}

TEST_F(OpenData, MakesNumbersOfTextAndRemembersHow) {
  const std::string file = csv("kind,size,sex\ncat,1,f\ndog,3,m\ncat,100,x\n");
  DataOptions options{.target = {"kind"}};
  EXPECT_THAT(message_of([&] { open_data(file, classifier(2, 2), options); }),
              HasSubstr("column 'sex' holds text, expected numbers (make numbers of it with "
                        "--encode auto"));
  options.encode = "auto";
  options.encoding_records = [](const SourcePtr& all) { return subset(all, 0, 2); };
  EXPECT_THAT(message_of([&] { open_data(file, classifier(2, 2), options); }),
              HasSubstr("takes 2 numbers, the table gives 3: size 1, sex 2"));
  const OpenedData opened = open_data(file, classifier(3, 2), options);
  float x[3];
  int32_t kind = 0;
  std::byte* const into[] = {reinterpret_cast<std::byte*>(x), reinterpret_cast<std::byte*>(&kind)};
  opened.data.source->read(1, into);
  EXPECT_THAT(x, ElementsAre(1, 0, 1)) << "size, sex=f, sex=m";
  // Another table, in another order, for the trained model.
  const std::string other = csv("sex,size\nf,2\n");
  const OpenedData again =
      open_data(other, classifier(3, 2), {.targets = false, .schema = opened.data.schema});
  again.data.source->read(0, into);
  EXPECT_THAT(x, ElementsAre(0, 1, 0));
  EXPECT_THAT(message_of([&] {
                open_data(other, classifier(3, 2),
                          {.targets = false, .schema = opened.data.schema, .encode = "other.json"});
              }),
              HasSubstr("the model was trained with an encoding"));
}

TEST_F(OpenData, TakesAColumnOfTheNameOfEachInput) {
  const Tensor age = Input({.shape = {1}, .name = "age"});
  const Tensor size = Input({.shape = {1}, .name = "size"});
  const Model model({age, size}, {Dense({.units = 1})(concatenate({age, size}))});
  const std::string file = csv("size,age,price\n1,2,3\n");
  const Dataset data = open_data(file, model, {.target = {"price"}}).data;
  float first = 0;
  float second = 0;
  int32_t price = 0;
  std::byte* const into[] = {reinterpret_cast<std::byte*>(&first),
                             reinterpret_cast<std::byte*>(&second),
                             reinterpret_cast<std::byte*>(&price)};
  data.source->read(0, into);
  EXPECT_EQ(first, 2);
  EXPECT_EQ(second, 1);
  EXPECT_EQ(price, 3);
}

TEST_F(OpenData, ReadsImagesAsTheModelTakesThem) {
  const std::string folder = images({"cats/1.png", "dogs/1.png"});
  const Dataset data =
      open_data(folder, image_model(2, "sparse_categorical_crossentropy"), {}).data;
  EXPECT_EQ(data.source->fields(), (Specs{{DType::float32, {4, 6, 3}}, {DType::int32, {}}}));
  const Dataset vectors = open_data(folder, image_model(2, "categorical_crossentropy"), {}).data;
  EXPECT_EQ(vectors.source->fields()[1], (Spec{DType::float32, {2}}));
  const Dataset binary = open_data(folder, image_model(1, "binary_crossentropy"), {}).data;
  EXPECT_EQ(binary.source->fields()[1], (Spec{DType::float32, {1}}));
  const auto alone = open_data(folder, image_model(2, "mse"), {.targets = false});
  EXPECT_EQ(alone.kind->name, "images");
  EXPECT_EQ(alone.data.source->fields().size(), 1u);
}

TEST_F(OpenData, ComparesTheClassesWithTheModel) {
  const std::string folder = images({"a/1.png", "b/1.png", "c/1.png"});
  const char* const sparse = "sparse_categorical_crossentropy";
  EXPECT_THAT(message_of([&] { open_data(folder, image_model(2, sparse), {}); }),
              HasSubstr("the model's output 'kind' has 2 classes, the folders have 3: a, b, c"));
  std::vector<Finding> findings;
  DataOptions options;
  options.announce = [&](const Finding& finding) { findings.push_back(finding); };
  open_data(folder, image_model(5, sparse), options);
  EXPECT_EQ(findings.size(), 1u);
}

// Two records: an image, a class, an array.
std::string shard() {
  const std::string image = testing::read_golden("images", "png_rgb_8bit").bytes("file");
  return testing::tar_of({{"0.png", image}, {"0.cls", "1"}, {"1.png", image}, {"1.cls", "0"}});
}

TEST_F(OpenData, ReadsTarShardsAsTheModelTakesThem) {
  std::filesystem::create_directory(path("shards"));
  for (const char* name : {"shards/train-1.tar", "shards/train-0.tar", "shards/test.tar"})
    std::ofstream(path(name), std::ios::binary) << shard();
  const auto sparse = image_model(2, "sparse_categorical_crossentropy");
  const auto opened = open_data(path("shards/train-*.tar"), sparse, {});
  EXPECT_EQ(opened.kind->name, "tar");
  EXPECT_EQ(opened.data.source->size(), 4);
  EXPECT_EQ(opened.data.source->name(2), path("shards/train-1.tar/0"));
  EXPECT_EQ(opened.data.source->fields(), (Specs{{DType::float32, {4, 6, 3}}, {DType::int32, {}}}));
  EXPECT_EQ(open_data(path("shards"), sparse, {}).data.source->size(), 6);
  const std::string list = path("shards/test.tar") + "," + path("shards/train-0.tar");
  const auto vectors = image_model(2, "categorical_crossentropy");
  EXPECT_EQ(open_data(list, vectors, {}).data.source->fields()[1], (Spec{DType::float32, {2}}));
  const auto alone = open_data(list, vectors, {.targets = false});
  EXPECT_EQ(alone.data.source->fields().size(), 1u);
  EXPECT_THAT(
      message_of([&] { open_data(list, two_sided(), {}); }),
      HasSubstr("expected a file for the input 'left' of the model in each record, an image, "
                ".npy, or .left.npy; the first record has png, cls"));
  EXPECT_THAT(message_of([&] { open_data(path("none-*.tar"), sparse, {}); }),
              HasSubstr("none-*.tar: no file has a name like this"));
}

class OpenTfRecords : public OpenData {
 protected:
  OpenTfRecords() {
    const std::string bytes = testing::read_golden("record_files", "tfrecord").bytes("file");
    std::ofstream(path("a.tfrecord"), std::ios::binary) << bytes;
  }

  DataOptions features(const std::string& json) const {
    std::ofstream(path("features.json")) << json;
    DataOptions options;
    options.features = path("features.json");
    return options;
  }
};

TEST_F(OpenTfRecords, TakeFeaturesInTheirOrderAndShapesFromTheModel) {
  const DataOptions options = features(R"({"pixels": {"decode": "uint8"}, "label": {}})");
  const auto opened = open_data(path("a.tfrecord"), classifier(6, 9), options);
  EXPECT_EQ(opened.kind->name, "tfrecord");
  EXPECT_EQ(opened.data.source->fields(), (Specs{{DType::float32, {6}}, {DType::int32, {}}}));
  EXPECT_EQ(opened.data.targets, 1);
  const auto vectors = classifier(6, 9, "categorical_crossentropy");
  EXPECT_EQ(open_data(path("a.tfrecord"), vectors, options).data.source->fields()[1],
            (Spec{DType::float32, {9}}));
  const auto images = image_model(9, "sparse_categorical_crossentropy");
  const DataOptions encoded = features(R"({"image/encoded": {"decode": "image"}, "label": {}})");
  EXPECT_EQ(open_data(path("a.tfrecord"), images, encoded).data.source->fields()[0],
            (Spec{DType::float32, {4, 6, 3}}));
}

TEST_F(OpenTfRecords, TakeFeaturesByTheNamesOfThePorts) {
  const DataOptions options =
      features(R"({"label": {"as": "b"}, "sometimes": {"as": "sample_weight", "default": 1},
                   "floats": {"as": "left", "shape": [2], "padded": true}, "words": {"as": "a"},
                   "raw": {"as": "right", "decode": "float32", "shape": [1]}})");
  const Dataset data = open_data(path("a.tfrecord"), two_sided(), options).data;
  EXPECT_EQ(data.targets, 2);
  EXPECT_EQ(data.sample_weights, 1);
  EXPECT_EQ(data.source->fields(), (Specs{{DType::float32, {2}},
                                          {DType::float32, {1}},
                                          {DType::float32, {}},
                                          {DType::float32, {}},
                                          {DType::float32, {}}}));
}

TEST_F(OpenTfRecords, SayWhatIsMissing) {
  EXPECT_THAT(message_of([&] { open_data(path("a.tfrecord"), classifier(6, 9), {}); }),
              HasSubstr("name a file that does with --features"));
  EXPECT_THAT(message_of([&] {
                open_data(path("a.tfrecord"), classifier(6, 9), features(R"({"floats": {}})"));
              }),
              HasSubstr("expected a feature for the output 'kind' of the model, found no other"));
}

TEST_F(OpenData, PutsIdxFilesTogether) {
  const std::string images{0, 0, 8, 2, 0, 0, 0, 1, 0, 0, 0, 2, 5, 6},
      labels{0, 0, 8, 1, 0, 0, 0, 1, 1};
  std::ofstream(path("images-idx2-ubyte"), std::ios::binary) << images;
  std::ofstream(path("labels-idx1-ubyte"), std::ios::binary) << labels;
  const std::string both = path("images-idx2-ubyte") + "," + path("labels-idx1-ubyte");
  const auto opened = open_data(both, classifier(2, 3), {});
  EXPECT_EQ(opened.kind->name, "idx");
  EXPECT_EQ(opened.data.source->fields(), (Specs{{DType::uint8, {2}}, {DType::uint8, {}}}));
  const Dataset vectors = open_data(both, classifier(2, 3, "categorical_crossentropy"), {}).data;
  EXPECT_EQ(vectors.source->fields()[1], (Spec{DType::float32, {3}}));
  float vector[3];
  uint8_t image[2];
  std::byte* const into[] = {reinterpret_cast<std::byte*>(image),
                             reinterpret_cast<std::byte*>(vector)};
  vectors.source->read(0, into);
  EXPECT_THAT(vector, ElementsAre(0, 1, 0));
  EXPECT_THAT(message_of([&] { open_data(path("images-idx2-ubyte"), classifier(2, 3), {}); }),
              HasSubstr("expected a file for each of features, then of kind, separated by commas"));
  open_data(path("images-idx2-ubyte"), classifier(2, 3), {.targets = false});
  EXPECT_THAT(message_of([&] { open_data(both + "," + csv("a\n1\n"), classifier(2, 3), {}); }),
              HasSubstr("data.csv is not one of them, or not of the same kind as"));
}

TEST_F(OpenData, TakesKeysOfJsonLines) {
  const auto write = [&](const std::string& text) {
    std::ofstream(path("data.jsonl")) << text;
    return path("data.jsonl");
  };
  const std::string named = write("{\"x\": [1, 2], \"y\": 1}\n{\"x\": [3, 4], \"y\": 0}\n");
  const auto opened = open_data(named, classifier(2, 2), {});
  EXPECT_EQ(opened.kind->name, "jsonl");
  EXPECT_EQ(opened.data.source->fields(), (Specs{{DType::float32, {2}}, {DType::int32, {}}}));
  EXPECT_EQ(open_data(named, classifier(2, 2), {.targets = false}).data.source->fields().size(),
            1u);
  EXPECT_THAT(message_of([&] { open_data(named, two_sided(), {}); }),
              HasSubstr("expected a key 'left' for the input of the model, found x, y"));
  const std::string table = write(
      "{\"p\": 1, \"q\": 2, \"kind\": \"dog\", \"id\": 7}\n"
      "{\"p\": 3, \"q\": 4, \"kind\": \"cat\", \"id\": 8}\n");
  const DataOptions options{.target = {"kind"}, .ignored = {"id"}};
  const Dataset vectors =
      open_data(table, classifier(2, 2, "categorical_crossentropy"), options).data;
  EXPECT_EQ(vectors.source->fields(), (Specs{{DType::float32, {2}}, {DType::float32, {2}}}));
  EXPECT_THAT(vectors.source->class_names(), ElementsAre("cat", "dog"));
  const std::string weighted =
      write("{\"a\": 1, \"b\": 2, \"left\": [1, 2], \"right\": 3, \"sample_weight\": 2}\n");
  const Dataset weights = open_data(weighted, two_sided(), {}).data;
  EXPECT_EQ(weights.sample_weights, 1);
  EXPECT_EQ(weights.source->fields()[4], (Spec{DType::float32, {}}));
}

TEST_F(OpenData, TakesPairsOfNpyFiles) {
  write_npy(path("x.npy"), {{DType::float32, {2, 4}}, std::make_shared<Storage>(32)});
  write_npy(path("y.npy"), {{DType::int32, {2}}, std::make_shared<Storage>(8)});
  write_npy(path("w.npy"), {{DType::float32, {2}}, std::make_shared<Storage>(8)});
  write_npy(path("short.npy"), {{DType::int32, {1}}, std::make_shared<Storage>(4)});
  const std::string pair = path("x.npy") + "," + path("y.npy");
  const auto opened = open_data(pair, classifier(4, 3), {});
  EXPECT_EQ(opened.kind->name, "npy_pair");
  EXPECT_EQ(opened.data.source->fields(), (Specs{{DType::float32, {4}}, {DType::int32, {}}}));
  EXPECT_EQ(open_data(pair, classifier(4, 3), {.targets = false}).data.source->fields().size(), 1u);
  EXPECT_EQ(open_data(pair + "," + path("w.npy"), classifier(4, 3), {}).data.sample_weights, 1);
  EXPECT_THAT(message_of([&] { open_data(pair, two_sided(), {}); }),
              HasSubstr("expected a .npy file for each of left, right, then of a, b"));
  EXPECT_THAT(
      message_of([&] { open_data(path("x.npy") + "," + path("short.npy"), classifier(4, 3), {}); }),
      HasSubstr("the arrays must have the same number of samples"));
}

TEST_F(OpenData, RefusesWhatIsNoData) {
  std::ofstream(path("notes.pdf")) << "%PDF-1.5";
  EXPECT_THAT(
      message_of([&] { open_data(path("notes.pdf"), classifier(2, 2), {}); }),
      HasSubstr("notes.pdf: expected .npz files, .npy files, pairs of .npy files, .h5 files of "
                "arrays, .zip files of images, .tfrecord files, .tar files, IDX files, .csv files "
                "that name images, .csv files, .jsonl files, single images, folders of images with "
                "masks, folders of images or folders of texts"));
  EXPECT_THAT(message_of([&] { open_data(path("nothing"), classifier(2, 2), {}); }),
              HasSubstr("No such file"));
  EXPECT_THAT(message_of([&] { open_data(images({"a/1.png"}), classifier(2, 2), {}); }),
              HasSubstr("images need a model with one input of shape (height, width, channels)"));
}

}  // namespace
}  // namespace plimsoll
