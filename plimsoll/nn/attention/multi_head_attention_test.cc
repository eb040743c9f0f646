#include "plimsoll/nn/attention/multi_head_attention.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/error.h"
#include "plimsoll/nn/clock.h"
#include "plimsoll/nn/layers/embedding.h"
#include "plimsoll/nn/networks/functional.h"
#include "plimsoll/nn/networks/input.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/reduction/reduction.h"

namespace plimsoll {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

Tensor numbers(const Shape& shape, int64_t seed) {
  return constant(Initializer(RandomNormal({.stddev = 1})).values(shape, seed, "x"), shape);
}

Tensor flags(const std::vector<int32_t>& values, const Shape& shape) {
  return cast(constant(values, shape), DType::boolean);
}

TEST(MultiHeadAttention, WeighsThePlacesThatCount) {
  const MultiHeadAttention layer({.num_heads = 2, .key_dim = 3});
  const Tensor query = numbers({2, 3, 4}, 1), value = numbers({2, 5, 4}, 2);
  const Tensor mask = flags({1, 1, 0, 1, 1, 1, 0, 0, 0, 1}, {2, 5});
  value.set_mask(mask);
  const Tensors found = layer(Tensors{query, value}, {.return_attention_scores = true});
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].shape(), (Shape{2, 3, 4}));
  ASSERT_EQ(found[1].shape(), (Shape{2, 2, 3, 5}));
  const std::vector<float> weights = found[1].to_vector();
  const std::vector<bool> counts = {true, true, false, true, true, true, false, false, false, true};
  for (size_t row = 0; row < 12; ++row) {
    float total = 0;
    for (size_t key = 0; key < 5; ++key) {
      total += weights[row * 5 + key];
      EXPECT_EQ(weights[row * 5 + key] > 0, counts[row / 6 * 5 + key]);
    }
    EXPECT_NEAR(total, 1, 1e-6);
  }
}

// The op that keeps no weights says the same as the parts that do.
TEST(MultiHeadAttention, SaysTheSameWithAndWithoutScores) {
  const MultiHeadAttention layer({.num_heads = 2, .key_dim = 3, .dropout = 0.3, .seed = 5});
  const Tensor query = numbers({2, 6, 4}, 1);
  for (const bool training : {false, true}) {
    CallOptions options{.training = training, .use_causal_mask = true};
    const auto start_step = [&] {
      training_clock().tick();  // draws of a step are numbered
      set_random_seed(3);
      query.set_mask(flags({1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1}, {2, 6}));
    };
    start_step();
    const std::vector<float> alone = layer(Tensors{query, query}, options)[0].to_vector();
    start_step();
    options.return_attention_scores = true;
    const std::vector<float> with_scores = layer(Tensors{query, query}, options)[0].to_vector();
    for (size_t i = 0; i < alone.size(); ++i) EXPECT_NEAR(alone[i], with_scores[i], 2e-5);
  }
}

TEST(MultiHeadAttention, SeesNothingOfTheFutureWithACausalMask) {
  const MultiHeadAttention layer({.num_heads = 2, .key_dim = 3});
  const Tensor x = numbers({1, 6, 4}, 1);
  std::vector<float> changed = x.to_vector();
  for (size_t i = 4 * 4; i < changed.size(); ++i) changed[i] += 1;  // places 4 and 5
  const CallOptions causal{.use_causal_mask = true};
  const std::vector<float> before = layer(Tensors{x, x}, causal)[0].to_vector();
  const Tensor other = constant(changed, {1, 6, 4});
  const std::vector<float> after = layer(Tensors{other, other}, causal)[0].to_vector();
  for (size_t i = 0; i < 16; ++i) EXPECT_EQ(before[i], after[i]);
  EXPECT_NE(before[16], after[16]);
}

TEST(MultiHeadAttention, TakesItsMaskFromAnEmbedding) {
  const Tensor words = Input({.shape = {4}, .dtype = DType::int32});
  const Tensor x = Embedding({.input_dim = 5, .output_dim = 4, .mask_zero = true})(words);
  const MultiHeadAttention layer({.num_heads = 1, .key_dim = 2});
  FunctionalBody model({words}, layer(Tensors{x, x}, {.return_attention_scores = true}));
  const Tensor given = constant(std::vector<int32_t>{3, 1, 0, 0}, {1, 4});
  const Tensors found = model(Tensors{given}, {});
  const std::vector<float> weights = found[1].to_vector();
  EXPECT_GT(weights[0], 0);
  EXPECT_EQ(weights[2], 0);
  EXPECT_EQ(weights[3], 0);
  ASSERT_TRUE(found[0].mask().defined());
  EXPECT_EQ(cast(found[0].mask(), DType::int32).to_vector<int32_t>(),
            (std::vector<int32_t>{1, 1, 0, 0}));
}

// As in Keras; the tensors of a program keep theirs.
TEST(MultiHeadAttention, TakesTheMaskOffWhatAFunctionalModelReadsLater) {
  const Tensor words = Input({.shape = {4}, .dtype = DType::int32});
  const Embedding embedding({.input_dim = 5, .output_dim = 4, .mask_zero = true});
  const Tensor x = embedding(words);
  const Tensor y = MultiHeadAttention({.num_heads = 1, .key_dim = 2})(Tensors{x, x})[0];
  FunctionalBody model({words}, {x, y});
  const Tensor given = constant(std::vector<int32_t>{3, 1, 0, 0}, {1, 4});
  const Tensors found = model(Tensors{given}, {});
  EXPECT_FALSE(found[0].mask().defined());
  EXPECT_TRUE(found[1].mask().defined());
  const Tensor own = embedding(given);
  MultiHeadAttention({.num_heads = 1, .key_dim = 2})(Tensors{own, own});
  EXPECT_TRUE(own.mask().defined());
}

TEST(MultiHeadAttention, NamesItsPartsAsKerasDoes) {
  const MultiHeadAttention layer(
      {.num_heads = 2, .key_dim = 3, .use_gate = true, .trainable = false});
  const Tensor x = numbers({1, 2, 4}, 1);
  layer(Tensors{x, x});
  std::vector<std::string> attributes;
  for (const auto& child : layer->children()) attributes.push_back(child.attribute);
  EXPECT_EQ(attributes, (std::vector<std::string>{"query_dense", "key_dense", "_gate_dense",
                                                  "value_dense", "output_dense"}));
  EXPECT_TRUE(layer->trainable_variables().empty());
  EXPECT_EQ(layer->weights()[0].shape(), (Shape{4, 2, 3}));
  EXPECT_EQ(layer->weights()[1].shape(), (Shape{2, 3}));
  EXPECT_EQ(layer->weights()[8].shape(), (Shape{2, 3, 4}));
}

TEST(MultiHeadAttention, RefusesWhatDoesNotFit) {
  EXPECT_THAT([] { MultiHeadAttention({.num_heads = 0, .key_dim = 3}); },
              ThrowsMessage<InvalidArgument>(HasSubstr("num_heads must be at least 1, found 0")));
  EXPECT_THROW(MultiHeadAttention({.num_heads = 2, .key_dim = 3, .dropout = 1}), InvalidArgument);
  const MultiHeadAttention layer({.num_heads = 2, .key_dim = 3, .name = "it"});
  const Tensor x = placeholder({{}, {2, 3, 4}}), y = placeholder({{}, {3, 5, 4}});
  EXPECT_THAT([&] { layer(Tensors{x}); },
              ThrowsMessage<InvalidArgument>(HasSubstr("it: expected {query, value}")));
  EXPECT_THROW(layer(Tensors{x, y}), InvalidArgument);
  EXPECT_THROW(layer(Tensors{x, placeholder({{}, {2, 4}})}), InvalidArgument);
  EXPECT_THROW(layer(Tensors{x, x}, {.attention_mask = placeholder({DType::boolean, {2}})}),
               InvalidArgument);
  const MultiHeadAttention some({.num_heads = 2, .key_dim = 3, .attention_axes = {1}});
  const Tensor grid = placeholder({{}, {2, 3, 3, 4}});
  EXPECT_THAT(
      [&] {
        some(Tensors{grid, grid});
      },
      ThrowsMessage<InvalidArgument>(HasSubstr("attention_axes must be all axes")));
}

TEST(Embedding, NamesTheSampleAndTheNumberThatIsOutside) {
  const Embedding layer({.input_dim = 5, .output_dim = 2});
  const Tensor words = constant(std::vector<int32_t>{1, 2, 3, 7}, {2, 2});
  EXPECT_THAT([&] { layer(words).to_vector(); },
              ThrowsMessage<InvalidArgument>(
                  HasSubstr("index 7 at sample 1, position 1 is outside the table of 5 rows")));
  EXPECT_THROW(Embedding({.input_dim = 0, .output_dim = 2}), InvalidArgument);
}

TEST(Embedding, TakesFloatsAsWholeNumbers) {
  const Embedding layer({.input_dim = 3, .output_dim = 1, .embeddings_initializer = "ones"});
  EXPECT_EQ(layer(constant(std::vector<float>{0, 2.7f}, {1, 2})).to_vector(),
            (std::vector<float>{1, 1}));
}

}  // namespace
}  // namespace plimsoll
