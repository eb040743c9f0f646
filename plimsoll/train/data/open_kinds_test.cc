// Kinds of data that depend on the model: images by table, with masks, and windows over a series.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "plimsoll/nn/nn.h"
#include "plimsoll/tensor/text.h"
#include "plimsoll/train/data/open_data.h"
#include "plimsoll/train/data/validation_split.h"
#include "tests/support/messages.h"
#include "tests/support/png_writer.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::message_of;
using testing::png_file;

Sequential sorts_images(int64_t classes, const char* loss) {
  Sequential model({InputLayer({.shape = {2, 2, 1}, .name = "photo"}), Flatten(),
                    Dense({.units = classes, .activation = "softmax", .name = "kind"})});
  model.compile({.loss = loss});
  return model;
}

// A class for each pixel.
Sequential segments(int64_t classes, const char* loss) {
  Sequential model({InputLayer({.shape = {4, 4, 1}}),
                    Conv2D({.filters = classes, .kernel_size = {1, 1}, .strides = {2, 2}})});
  model.compile({.loss = loss});
  return model;
}

Sequential forecasts(int64_t window, int64_t columns) {
  Sequential model({InputLayer({.shape = {window, columns}, .name = "past"}), Flatten(),
                    Dense({.units = 1, .name = "next"})});
  model.compile({.loss = "mse"});
  return model;
}

class OpenKinds : public ::testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& contents) const {
    const std::filesystem::path path = folder_.path(name);
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << contents;
    return path.string();
  }
  std::string series(int rows) const {
    std::string text = "load,wind\n";
    for (int i = 0; i < rows; ++i)
      text += std::to_string(i) + ".5," + std::to_string(10 * i) + "\n";
    return file("series.csv", text);
  }
  DataOptions noting(DataOptions options = {}) {
    options.announce = [this](const Finding& note) { notes_.push_back(to_string(note)); };
    return options;
  }

  TemporaryFolder folder_;
  std::vector<std::string> notes_;
};

std::vector<float> floats_of(const Source& source, int64_t record, size_t field) {
  std::vector<std::vector<std::byte>> room;
  for (const Spec& spec : source.fields()) room.emplace_back(static_cast<size_t>(spec.bytes()));
  std::vector<std::byte*> into;
  for (auto& bytes : room) into.push_back(bytes.data());
  source.read(record, into);
  std::vector<float> numbers(room[field].size() / sizeof(float));
  std::memcpy(numbers.data(), room[field].data(), room[field].size());
  return numbers;
}

TEST_F(OpenKinds, ATableOfFileNamesIsImagesForAModelThatTakesImages) {
  file("1.png", png_file(2, 2, {1, 2, 3, 4}));
  file("2.png", png_file(2, 2, {5, 6, 7, 8}));
  const std::string path = file("labels.csv", "file,size,kind\n1.png,3,cat\n2.png,4,dog\n");
  const OpenedData opened =
      open_data(path, sorts_images(2, "categorical_crossentropy"), noting({.target = {"kind"}}));
  EXPECT_TRUE(opened.are_images);
  const Source& records = *opened.data.source;
  EXPECT_EQ(records.fields(), (Specs{{DType::float32, {2, 2, 1}}, {DType::float32, {2}}}));
  EXPECT_THAT(floats_of(records, 1, 0), ElementsAre(5, 6, 7, 8));
  EXPECT_THAT(floats_of(records, 1, 1), ElementsAre(0, 1));
  ASSERT_FALSE(notes_.empty());
  EXPECT_THAT(notes_[0], HasSubstr("column 'file' names the images; other columns are not inputs"));
}

TEST_F(OpenKinds, TheSameTableIsNumbersForAnotherModel) {
  file("1.png", png_file(2, 2, {1, 2, 3, 4}));
  const std::string path = file("labels.csv", "file,size,price\n1.png,3,7\n1.png,4,8\n");
  Sequential model({InputLayer({.shape = {1}}), Dense({.units = 1})});
  model.compile({.loss = "mse"});
  const OpenedData opened =
      open_data(path, model, noting({.target = {"price"}, .ignored = {"file"}}));
  EXPECT_FALSE(opened.are_images);
  EXPECT_FALSE(opened.is_shuffled_to_split);
  EXPECT_EQ(opened.data.source->fields()[0], (Spec{DType::float32, {1}}));
  EXPECT_EQ(opened.data.source->name(0), path + ":2");
}

TEST_F(OpenKinds, AnImageIsForPredictingOnly) {
  const std::string path = file("1.png", png_file(2, 2, {1, 2, 3, 4}));
  const Sequential model = sorts_images(2, "sparse_categorical_crossentropy");
  const OpenedData opened = open_data(path, model, {.targets = false});
  EXPECT_TRUE(opened.are_images);
  EXPECT_EQ(opened.data.source->name(0), path);
  EXPECT_THAT(floats_of(*opened.data.source, 0, 0), ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(open_data(path + "," + path, model, {.targets = false}).data.source->size(), 2);
  EXPECT_THAT(message_of([&] { open_data(path, model); }),
              HasSubstr("1.png: is an image without its class"));
}

TEST_F(OpenKinds, MasksHaveTheSizeAndTheFormThatTheModelTakes) {
  file("data/images/1.png", png_file(4, 4, std::vector<uint8_t>(16, 3)));
  file("data/masks/1.png", png_file(2, 2, {0, 1, 1, 0}));
  const std::string path = folder_.path("data");
  const auto fields = [&](const Sequential& model) {
    return open_data(path, model).data.source->fields();
  };
  EXPECT_EQ(fields(segments(3, "sparse_categorical_crossentropy")),
            (Specs{{DType::float32, {4, 4, 1}}, {DType::int32, {2, 2}}}));
  EXPECT_EQ(fields(segments(3, "categorical_crossentropy"))[1], (Spec{DType::float32, {2, 2, 3}}));
  EXPECT_EQ(fields(segments(1, "binary_crossentropy"))[1], (Spec{DType::float32, {2, 2, 1}}));
  EXPECT_EQ(open_data(path, segments(3, "mse"), {.targets = false}).data.source->fields().size(),
            1u);
  EXPECT_THAT(message_of([&] { fields(segments(3, "mse")); }),
              HasSubstr("data: the numbers of a mask are classes"));
  EXPECT_THAT(
      message_of([&] {
        Sequential model({InputLayer({.shape = {4, 4, 1}}), Flatten(), Dense({.units = 2})});
        model.compile({.loss = "mse"});
        open_data(path, model);
      }),
      HasSubstr("masks need a model with one output of shape (height, width, classes)"));
}

TEST_F(OpenKinds, AModelLearnsMasksAndNamesTheOneThatHasAnotherClass) {
  for (const char* name : {"1", "2"}) {
    file(std::string("data/images/") + name + ".png", png_file(4, 4, std::vector<uint8_t>(16, 3)));
    file(std::string("data/masks/") + name + ".png", png_file(2, 2, {0, 1, 2, 0}));
  }
  Sequential model = segments(3, "sparse_categorical_crossentropy");
  const auto fit = [&] { model.fit(open_data(folder_.path("data"), model).data, {.verbose = 0}); };
  EXPECT_EQ(message_of(fit), "no error");
  file("data/masks/2.png", png_file(2, 2, {0, 1, 3, 0}));
  EXPECT_THAT(message_of(fit), HasSubstr("data/images/2.png"));
}

TEST_F(OpenKinds, AFolderOfTextsIsForAModelThatTakesStrings) {
  for (int i = 0; i < 8; ++i) {
    file("reviews/neg/" + std::to_string(i) + ".txt", "so bad");
    file("reviews/pos/" + std::to_string(i) + ".txt", "good, really good");
  }
  file("reviews/pos/captions.jpg", "");
  const std::string path = folder_.path("reviews");
  Sequential model({InputLayer({.shape = {1}, .dtype = DType::string}),
                    TextVectorization({.output_mode = "multi_hot", .vocabulary = {"good", "bad"}}),
                    Dense({.units = 1, .activation = "sigmoid"})});
  model.compile({.optimizer = Adam({.learning_rate = 0.1}), .loss = "binary_crossentropy"});
  const OpenedData opened = open_data(path, model, noting());
  EXPECT_EQ(opened.data.source->size(), 16);
  EXPECT_TRUE(opened.is_shuffled_to_split) << "the last part is of one class";
  EXPECT_EQ(opened.data.source->fields()[1], (Spec{DType::float32, {1}}));
  ASSERT_EQ(notes_.size(), 1u);
  EXPECT_THAT(notes_[0], HasSubstr("1 other file(s) in it are left out: pos/captions.jpg"));
  model.fit(opened.data, {.epochs = 60, .verbose = 0});
  EXPECT_LT(model.evaluate(opened.data).at("loss"), 0.1);
  EXPECT_THAT(message_of([&] { open_data(path, sorts_images(2, "mse")); }),
              HasSubstr("a folder of texts needs a model with one input of one string"));
}

TEST_F(OpenKinds, WindowsHaveAllColumnsAndTheTargetOfALaterRow) {
  const Sequential model = forecasts(3, 2);
  const Dataset data =
      open_data(series(8), model, {.target = {"load"}, .window = 3, .horizon = 2}).data;
  EXPECT_EQ(data.source->size(), 4);
  EXPECT_EQ(data.source->fields()[0], (Spec{DType::float32, {3, 2}}));
  EXPECT_THAT(floats_of(*data.source, 0, 0), ElementsAre(0.5f, 0, 1.5f, 10, 2.5f, 20));
  EXPECT_EQ(data.source->name(0), folder_.path("series.csv") + ":6");  // row 4
  const Dataset alone =
      open_data(series(8), forecasts(3, 1), {.target = {"load"}, .ignored = {"load"}, .window = 3})
          .data;
  EXPECT_THAT(floats_of(*alone.source, 0, 0), ElementsAre(0, 10, 20));
}

TEST_F(OpenKinds, WindowsToPredictReachAfterTheTable) {
  const Dataset data = open_data(series(8), forecasts(3, 2),
                                 {.targets = false, .target = {"load"}, .window = 3, .horizon = 2})
                           .data;
  EXPECT_EQ(data.source->size(), 6);
  EXPECT_EQ(data.source->name(5), folder_.path("series.csv") + ":9+2");
}

TEST_F(OpenKinds, WindowsAreKeptWithTheModel) {
  const Sequential model = forecasts(3, 2);
  const OpenedData first =
      open_data(series(8), model, {.target = {"load"}, .window = 3, .horizon = 2});
  EXPECT_EQ(first.data.schema.window, 3);
  const Dataset again = open_data(series(8), model, {.schema = first.data.schema}).data;
  EXPECT_EQ(again.source->size(), 4);
  EXPECT_EQ(floats_of(*again.source, 0, 0), floats_of(*first.data.source, 0, 0));
  const Dataset ahead =
      open_data(series(8), model, {.targets = false, .schema = first.data.schema}).data;
  EXPECT_EQ(ahead.source->name(5), folder_.path("series.csv") + ":9+2");
  const Dataset other =
      open_data(series(8), model, {.schema = first.data.schema, .horizon = 1}).data;
  EXPECT_EQ(other.source->size(), 5) << "what a person says wins";
}

TEST_F(OpenKinds, AnErrorAboutRowsNamesTheWindow) {
  EXPECT_THAT(message_of([&] { open_data(series(8), forecasts(3, 2), {.target = {"load"}}); }),
              HasSubstr("if the rows are a series, --window 3 makes records of 3 rows"));
  EXPECT_THAT(
      message_of([&] { open_data(series(8), forecasts(3, 1), {.target = {"load"}, .window = 3}); }),
      HasSubstr("a record has the shape (3, 2), the model's input 'past' takes (3, 1); of a "
                "table, all columns are inputs"));
}

TEST_F(OpenKinds, FitSplitsWindowsByTimeWithoutOverlap) {
  const Dataset data =
      open_data(series(40), forecasts(3, 2), {.target = {"load"}, .window = 3, .horizon = 2}).data;
  const TrainingData parts = split_last(data, 0.25);
  const int64_t last = parts.train.source->size() - 1;
  const float target = floats_of(*parts.train.source, last, 1)[0];
  EXPECT_EQ(floats_of(*parts.validation.source, 0, 0)[0], target + 1);
  EXPECT_THAT(message_of([&] { split_last(data, 0.05); }),
              HasSubstr("4 windows between the parts are left out"));
}

}  // namespace
}  // namespace plimsoll
