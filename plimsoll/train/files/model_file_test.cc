#include "plimsoll/train/files/model_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "plimsoll/base/atomic_file.h"
#include "plimsoll/base/error.h"
#include "plimsoll/nn/nn.h"
#include "plimsoll/train/files/weight_file.h"
#include "tests/support/damage.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;
using testing::ThrowsMessage;

// By Keras 3 and Keras 2; see tests/data/keras_files/make_files.py.
std::string saved(const std::string& name) {
  return std::string(PLIMSOLL_SOURCE_DIR) + "/tests/data/keras_files/" + name;
}

// A line of numbers is a matrix: its shape, then its values.
Tensors matrices_of(const std::string& path) {
  Tensors matrices;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream numbers(line);
    int64_t rows = 0, columns = 0;
    numbers >> rows >> columns;
    std::vector<float> values;
    for (float value = 0; numbers >> value;) values.push_back(value);
    matrices.push_back(constant(std::span<const float>(values), {rows, columns}));
  }
  return matrices;
}

std::vector<float> values_of(const Tensor& tensor) {
  const auto* begin = reinterpret_cast<const float*>(tensor.data());
  return {begin, begin + tensor.shape().elements()};
}

// What Keras predicts for the inputs in NAME.txt.
void expect_predictions(Model model, const std::string& name) {
  const Tensors numbers = matrices_of(saved(name + ".txt"));
  const size_t inputs = model.network().inputs().size();
  const Tensors found = model.predict(Columns(Tensors(numbers.begin(), numbers.begin() + inputs)));
  ASSERT_EQ(found.size(), numbers.size() - inputs);
  for (size_t i = 0; i < found.size(); ++i)
    EXPECT_THAT(values_of(found[i]),
                testing::Pointwise(testing::FloatNear(1e-5f), values_of(numbers[inputs + i])));
}

class ModelOf : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Keras, ModelOf,
                         testing::Values("keras3_sequence.keras", "keras3_sequence.h5",
                                         "keras3_graph.keras", "keras3_graph.h5",
                                         "keras2_sequence.keras", "keras2_sequence.h5",
                                         "keras2_graph.keras", "keras2_graph.h5"),
                         [](const auto& tested) {
                           std::string name = tested.param;
                           name[name.find('.')] = '_';
                           return name;
                         });

TEST_P(ModelOf, PredictsAsKerasDoes) {
  const LoadedModel loaded = load_model(saved(GetParam()));
  EXPECT_THAT(loaded.notes, IsEmpty());
  const std::string name = GetParam();
  expect_predictions(loaded.model, name.substr(0, name.find('.')));
}

TEST_P(ModelOf, BringsItsCompileSettingsAndTheStateOfItsOptimizer) {
  const Model model = load_model(saved(GetParam())).model;
  ASSERT_TRUE(model.compiled());
  const bool is_graph = std::strstr(GetParam(), "graph") != nullptr;
  EXPECT_EQ(model.optimizer()->class_name(), is_graph ? "SGD" : "Adam");
  EXPECT_NEAR(model.optimizer()->current_learning_rate(), is_graph ? 0.1 : 0.01, 1e-7);
  EXPECT_EQ(*reinterpret_cast<const int64_t*>(model.optimizer()->iterations().data()), 2);
  // Both have moved every slot away from zero.
  const Variables state = model.optimizer()->variables();
  ASSERT_GT(state.size(), model.trainable_variables().size());
  for (size_t i = 2; i < state.size(); ++i)
    EXPECT_THAT(std::span(reinterpret_cast<const float*>(state[i].data()),
                          static_cast<size_t>(state[i].shape().elements())),
                testing::Contains(testing::Ne(0.0f)))
        << state[i].name();
  const CompileOptions& options = model.compile_options();
  EXPECT_EQ(options.loss.values.size(), is_graph ? 2u : 1u);
  EXPECT_THAT(options.loss_weights.values,
              is_graph ? testing::Matcher<std::vector<double>>(ElementsAre(1.0, 0.5))
                       : testing::Matcher<std::vector<double>>(IsEmpty()));
}

TEST_P(ModelOf, IsTheSameBytesOnceItIsSavedLoadedAndSaved) {
  const TemporaryFolder folder;
  const Model model = load_model(saved(GetParam())).model;
  for (const std::string extension : {".keras", ".h5", ".json"}) {
    save_model(model, folder.path("one" + extension));
    save_model(load_model(folder.path("one" + extension)).model, folder.path("two" + extension));
    EXPECT_TRUE(bytes_of(folder.path("one" + extension)) ==
                bytes_of(folder.path("two" + extension)))
        << extension;
  }
  // Nothing is lost between the formats.
  save_model(load_model(folder.path("one.h5")).model, folder.path("through_h5.keras"));
  EXPECT_TRUE(bytes_of(folder.path("one.keras")) == bytes_of(folder.path("through_h5.keras")));
}

TEST(ModelFile, KeepsWhatIsFrozen) {
  const Model model = load_model(saved("keras3_graph.keras")).model;
  EXPECT_FALSE(model.get_layer("frozen")->trainable());
  EXPECT_EQ(model.trainable_variables().size(), 8u);
}

TEST(ModelFile, ReadsATextWithoutWeights) {
  const LoadedModel keras3 = load_model(saved("keras3_sequence.json"));
  EXPECT_TRUE(keras3.compiled);
  // As initialised, not zero.
  EXPECT_THAT(values_of(keras3.model.get_weights()[0]), testing::Contains(testing::Ne(0.0f)));
  EXPECT_FALSE(load_model(saved("keras2_sequence.json")).compiled);
}

TEST(ModelFile, ReservesWeightsWithoutReadingThem) {
  const LoadedModel loaded = load_model(saved("keras3_sequence.keras"), {.weights = false});
  EXPECT_EQ(loaded.model.count_params(), 25);
  EXPECT_THAT(values_of(loaded.model.get_weights()[0]), testing::Each(0.0f));
}

TEST(WeightFile, ReadsEveryFormat) {
  const TemporaryFolder folder;
  for (const std::string keras : {"keras3_sequence", "keras2_sequence"}) {
    const std::string weights =
        keras + (keras == "keras3_sequence" ? ".weights.h5" : "_weights.h5");
    Model model = load_model(saved(keras + ".json")).model;
    EXPECT_THAT(load_weights(model, saved(weights)), IsEmpty());
    expect_predictions(model, keras);
    for (const std::string name : {"a.weights.h5", "a.h5", "a.safetensors"}) {
      save_weights(model, folder.path(name));
      Model other = load_model(saved(keras + ".json")).model;
      load_weights(other, folder.path(name));
      expect_predictions(other, keras);
      save_weights(other, folder.path("again_" + name));
      EXPECT_TRUE(bytes_of(folder.path(name)) == bytes_of(folder.path("again_" + name))) << name;
    }
    Model other = load_model(saved(keras + ".json")).model;
    load_weights(other, saved(keras + ".keras"));
    expect_predictions(other, keras);
  }
}

TEST(WeightFile, ChangesNothingWhereItDoesNotFit) {
  const TemporaryFolder folder;
  const Model source = load_model(saved("keras3_sequence.keras")).model;
  Sequential other({InputLayer({.shape = {2}}), Dense({.units = 3, .name = "first"}),
                    BatchNormalization({.name = "norm"}), Dense({.units = 2, .name = "last"})});
  const std::vector<float> before = values_of(other.get_weights()[0]);
  const std::pair<const char*, const char*> cases[] = {
      {"a.weights.h5",
       "a.weights.h5: last/kernel: expected a weight of shape (3, 2), found (3, 1)"},
      {"a.h5", "a.h5: last/kernel: expected a weight of shape (3, 2), found (3, 1)"},
      {"a.safetensors", "a.safetensors: first/kernel: the file has no tensor of this name"}};
  for (const auto& [name, sentence] : cases) {
    save_weights(source, folder.path(name));
    EXPECT_THAT([&] { load_weights(other, folder.path(name)); },
                ThrowsMessage<InvalidArgument>(HasSubstr(sentence)));
    EXPECT_EQ(values_of(other.get_weights()[0]), before);
  }
  Sequential shorter({InputLayer({.shape = {2}}), Dense({.units = 3})});
  EXPECT_THAT([&] { load_weights(shorter, folder.path("a.h5")); },
              ThrowsMessage<InvalidArgument>(HasSubstr("expected 1 layers with weights, found 3")));
  Sequential without_bias({InputLayer({.shape = {2}}), Dense({.units = 3, .use_bias = false})});
  EXPECT_THAT([&] { load_weights(without_bias, folder.path("a.weights.h5")); },
              ThrowsMessage<InvalidArgument>(
                  HasSubstr("expected 1 weights in group layers/dense/vars, found 2")));
}

TEST(WeightFile, SaysThatTheStateIsThatOfAnotherOptimizer) {
  Model model = load_model(saved("keras3_sequence.keras")).model;
  model.compile({.optimizer = "rmsprop", .loss = "mse"});
  const std::vector<Finding> notes = load_weights(model, saved("keras3_sequence.weights.h5"));
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_THAT(notes[0].what, AllOf(HasSubstr("optimizer"), HasSubstr("found 14")));
  expect_predictions(model, "keras3_sequence");
}

TEST(ModelFile, SaysWhatItDoesNotRead) {
  const TemporaryFolder folder;
  write_file(folder.path("a.txt"), "hello");
  write_file(folder.path("empty.keras"), "");
  EXPECT_THAT([&] { load_model(folder.path("a.txt")); },
              ThrowsMessage<InvalidArgument>(HasSubstr("is not a Keras model")));
  EXPECT_THAT([&] { load_model(folder.path("empty.keras")); },
              ThrowsMessage<InvalidArgument>(HasSubstr("is not a Keras model")));
  EXPECT_THAT([&] { load_model(folder.path("none.keras")); },
              ThrowsMessage<IoError>(HasSubstr("No such file")));
  EXPECT_THAT([&] { load_model(saved("keras3_sequence.weights.h5")); },
              ThrowsMessage<InvalidArgument>(HasSubstr("holds weights alone")));
  Sequential model({InputLayer({.shape = {2}}), Dense({.units = 1})});
  EXPECT_THAT([&] { save_model(model, folder.path("a.onnx")); },
              ThrowsMessage<InvalidArgument>(HasSubstr("saved as .keras, .h5 or .json")));
  EXPECT_THAT([&] { save_weights(model, folder.path("a.npz")); },
              ThrowsMessage<InvalidArgument>(HasSubstr(".safetensors")));
  EXPECT_THAT([&] { save_model(Sequential({Dense({.units = 1})}), folder.path("a.keras")); },
              ThrowsMessage<InvalidArgument>(HasSubstr("has no weights yet")));
  EXPECT_EQ(folder.count(), 2u);
}

TEST(ModelFile, NamesALayerThatItDoesNotKnow) {
  const TemporaryFolder folder;
  std::string text = bytes_of(saved("keras3_sequence.json"));
  text.replace(text.find("\"Dropout\""), 9, "\"Lambda\"");
  write_file(folder.path("a.json"), text);
  EXPECT_THAT([&] { load_model(folder.path("a.json")); },
              ThrowsMessage<InvalidArgument>(AllOf(StartsWith(folder.path("a.json")),
                                                   HasSubstr("Lambda"), HasSubstr("Dense"))));
}

TEST(ModelFile, LoadsAModelUncompiledWhoseLossIsNotKnown) {
  const TemporaryFolder folder;
  std::string text = bytes_of(saved("keras3_sequence.json"));
  text.replace(text.find("\"loss\": \"mse\""), 13, "\"loss\": \"own\"");
  write_file(folder.path("a.json"), text);
  const LoadedModel loaded = load_model(folder.path("a.json"));
  EXPECT_FALSE(loaded.compiled);
  ASSERT_EQ(loaded.notes.size(), 1u);
  EXPECT_THAT(to_string(loaded.notes[0]), AllOf(HasSubstr("own"), HasSubstr("--loss")));
}

// Reads the bytes as a file of this name, and what is wrong with the model is no error of the test.
void read_bytes(const TemporaryFolder& folder, const std::string& name, const std::string& bytes) {
  std::ofstream(folder.path(name), std::ios::binary) << bytes;
  try {
    load_model(folder.path(name));
  } catch (const InvalidArgument&) {
  } catch (const DoesNotFit&) {
  }
}

TEST(ModelFile, SurvivesDamageAnywhere) {
  const TemporaryFolder folder;
  for (const std::string name : {"keras3_graph.keras", "keras3_graph.h5", "keras2_sequence.h5"})
    expect_harmless_damage(
        bytes_of(saved(name)), [&](const std::string& bytes) { read_bytes(folder, name, bytes); },
        60);
}

// Every value of a config in turn becomes something else, or goes.
void vary(nlohmann::ordered_json& root, nlohmann::ordered_json& value,
          const std::function<void()>& check) {
  static const nlohmann::ordered_json strange[] = {
      nullptr, -1, 1e300, "text", {{"class_name", "Dense"}}, {{1, 2, 3}}};
  if (value.is_structured())
    for (auto& part : value) vary(root, part, check);
  const nlohmann::ordered_json before = value;
  for (const auto& other : strange) {
    value = other;
    check();
  }
  value = before;
  if (!before.is_object()) return;
  for (const auto& [key, part] : before.items()) {
    value.erase(key);
    check();
    value = before;
  }
}

TEST(ModelFile, SurvivesEveryStrangeConfig) {
  const TemporaryFolder folder;
  auto root = nlohmann::ordered_json::parse(bytes_of(saved("keras3_sequence.json")));
  int count = 0;
  vary(root, root, [&] {
    if (++count % 4 != 0) return;  // there are thousands
    try {
      read_bytes(folder, "a.json", root.dump());
    } catch (const CorruptFile&) {
    }
  });
}

}  // namespace
}  // namespace plimsoll
