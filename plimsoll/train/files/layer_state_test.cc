#include "plimsoll/train/files/layer_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/error.h"
#include "plimsoll/nn/layers/layer_state.h"
#include "plimsoll/nn/nn.h"
#include "plimsoll/ops/text/text.h"
#include "plimsoll/tensor/text.h"
#include "plimsoll/train/files/model_file.h"
#include "plimsoll/train/files/weight_file.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

Tensor sentences() {
  return texts(std::vector<std::string>{"The cat sat.", "a dog", "the Dog ran!"}, {3, 1});
}

// Counts words, with weights that were learnt, and one word of each sample beside them.
Model adapted_model(const std::vector<std::string>& words) {
  const TextVectorization vectorize({.ngrams = {2}, .output_mode = "tf_idf"});
  vectorize.adapt(sentences());
  const StringLookup lookup({.num_oov_indices = 2, .output_mode = "one_hot"});
  lookup.adapt(texts(words, {std::ssize(words)}));
  const Tensor text = Input({.shape = {1}, .dtype = DType::string, .name = "text"});
  const Tensor word = Input({.shape = {1}, .dtype = DType::string, .name = "word"});
  const Tensor joined = Concatenate()(Tensors{vectorize(text), lookup(word)})[0];
  return Model({text, word}, {Dense({.units = 2})(joined)});
}

std::vector<float> prediction(const Model& model, const std::vector<std::string>& words) {
  return model({sentences(), texts(words, {3, 1})})[0].to_vector();
}

TEST(LayerState, ComesBackFromTheArchive) {
  const TemporaryFolder folder;
  const std::vector<std::string> words = {"red", "blue", "violet"};
  const Model model = adapted_model({"red", "blue", "red"});
  const std::vector<float> expected = prediction(model, words);
  save_model(model, folder.path("m.keras"));
  EXPECT_EQ(
      KerasArchive(folder.path("m.keras")).asset("assets/layers/string_lookup/vocabulary.txt", 99),
      "[UNK]\n[UNK]\nred\nblue");
  const Model loaded = load_model(folder.path("m.keras")).model;
  EXPECT_EQ(prediction(loaded, words), expected);
  save_model(loaded, folder.path("again.keras"));
  EXPECT_EQ(prediction(load_model(folder.path("again.keras")).model, words), expected);
  // The numbers are with the weights, and only the archive has the words.
  save_weights(model, folder.path("m.weights.h5"));
  Model other = load_model(folder.path("m.keras")).model;
  load_weights(other, folder.path("m.weights.h5"));
  EXPECT_EQ(prediction(other, words), expected);
  EXPECT_THAT([&] { save_model(model, folder.path("m.h5")); },
              ThrowsMessage<InvalidArgument>(HasSubstr("save it as .keras")));
}

// As Keras writes the words "", of which it loses the last when it reads the file.
TEST(LayerState, FindsAnEmptyWordAtTheEnd) {
  const StringLookup lookup({.output_mode = "one_hot", .vocabulary_size = 3});
  auto& keeps = dynamic_cast<KeepsState&>(*lookup);
  keeps.set_state({.files = {{"vocabulary.txt", "[UNK]\nred\n"}}, .numbers = {}});
  EXPECT_EQ(lookup.vocabulary(), (std::vector<std::string>{"[UNK]", "red", ""}));
  const StringLookup other({.output_mode = "one_hot", .vocabulary_size = 5});
  EXPECT_THAT(
      [&] {
        dynamic_cast<KeepsState&>(*other).set_state(
            {.files = {{"vocabulary.txt", "[UNK]\nred"}}, .numbers = {}});
      },
      ThrowsMessage<InvalidArgument>(HasSubstr("has 2 indices, the config says 5")));
}

// A line cannot hold them, so the config does.
TEST(LayerState, KeepsWordsWithLineEnds) {
  const TemporaryFolder folder;
  const std::vector<std::string> words = {"a\nb", "c", "a"};
  const Model model = adapted_model(words);
  const std::vector<float> expected = prediction(model, words);
  save_model(model, folder.path("m.keras"));
  EXPECT_EQ(prediction(load_model(folder.path("m.keras")).model, words), expected);
}

TEST(LayerState, IsMissedWhereALayerIsUsedWithoutIt) {
  const TemporaryFolder folder;
  const Model model = adapted_model({"red"});
  save_model(model, folder.path("m.json"));
  const Model without = load_model(folder.path("m.json")).model;
  EXPECT_THAT(
      [&] {
        prediction(without, {"a", "b", "c"});
      },
      ThrowsMessage<InvalidArgument>(HasSubstr("has no vocabulary")));
}

}  // namespace
}  // namespace plimsoll
