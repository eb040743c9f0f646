#include <gtest/gtest.h>

#include <cmath>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/gradient.h"
#include "plimsoll/nn/attention/masking.h"
#include "plimsoll/nn/clock.h"
#include "plimsoll/nn/layers/dense.h"
#include "plimsoll/nn/networks/functional.h"
#include "plimsoll/nn/networks/input.h"
#include "plimsoll/nn/networks/sequential.h"
#include "plimsoll/nn/recurrent/bidirectional.h"
#include "plimsoll/nn/recurrent/gru.h"
#include "plimsoll/nn/recurrent/lstm.h"
#include "plimsoll/nn/recurrent/recurrent_layer.h"
#include "plimsoll/nn/recurrent/rnn.h"
#include "plimsoll/nn/recurrent/simple_rnn.h"
#include "plimsoll/nn/recurrent/time_distributed.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/movement/movement.h"
#include "plimsoll/ops/reduction/reduction.h"
#include "tests/support/messages.h"

namespace plimsoll {
namespace {

using testing::message_of;

Tensor numbers(const Shape& shape, int64_t seed = 0) {
  return constant(Initializer("random_normal").values(shape, seed, "x"), shape) * 20.0;
}

void expect_near(const Tensor& found, const Tensor& expected, float tolerance = 1e-5f) {
  ASSERT_EQ(found.shape(), expected.shape());
  const std::vector<float> a = found.to_vector(), b = expected.to_vector();
  for (size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], tolerance) << "element " << i;
}

Tensor steps_of(const Tensor& x, int64_t first, int64_t count) {
  return slice(x, {0, first, 0}, {-1, count, -1});
}

TEST(LSTM, BeginsWithAForgetBiasOfOneAndAnOrthogonalRecurrentKernel) {
  const LSTM layer({.units = 3});
  layer(numbers({2, 4, 5}));
  const Variables weights = layer->weights();
  EXPECT_EQ(weights[2].value().to_vector(),
            (std::vector<float>{0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0}));
  const std::vector<float> u = weights[1].value().to_vector();
  float norm = 0, product = 0;
  for (size_t j = 0; j < 12; ++j) norm += u[j] * u[j], product += u[j] * u[12 + j];
  EXPECT_NEAR(norm, 1, 1e-5);
  EXPECT_NEAR(product, 0, 1e-5);

  const LSTM without({.units = 3, .unit_forget_bias = false});
  without(numbers({2, 4, 5}));
  EXPECT_EQ(without->weights()[2].value().to_vector(), std::vector<float>(12, 0));
}

TEST(LSTM, PenalisesEachWeightByItsOwnRegularizer) {
  const LSTM layer({.units = 2, .kernel_regularizer = "l1", .bias_regularizer = "l2"});
  layer(numbers({2, 3, 2}));
  const Tensors losses = layer->losses();
  ASSERT_EQ(losses.size(), 2u);
  EXPECT_NEAR(losses[1].item(), 0.01 * 2, 1e-6);  // two forget biases of 1
}

// A stateful layer on two halves of sequences does what one without state does on the whole.
TEST(Stateful, GoesOnWhereTheBatchBeforeEnded) {
  for (const bool masked : {false, true}) {
    const LSTMOptions options = {.units = 3, .return_sequences = true, .name = "lstm"};
    LSTMOptions keeping = options;
    keeping.stateful = true;
    const LSTM whole(options), parts(keeping);
    const Tensor x = numbers({2, 6, 4});
    const Tensor mask = cast(
        constant(std::vector<float>{1, 1, 0, 1, 0, 1, 1, 0, 1, 1, 1, 0}, {2, 6}), DType::boolean);
    const Tensor expected = whole(x, {.mask = masked ? mask : Tensor()});
    const auto part = [&](int64_t first) {
      CallOptions call;
      if (masked) call.mask = slice(mask, {0, first}, {-1, 3});
      return parts(steps_of(x, first, 3), call);
    };
    const Tensor first = part(0);  // the same weights: they are a function of the names
    expect_near(first, steps_of(expected, 0, 3));
    if (!masked) expect_near(part(3), steps_of(expected, 3, 3));
    reset_state(parts);
    expect_near(part(0), first);
  }
}

TEST(Stateful, KeepsAwayFromTheShapesOfAFunctionalModel) {
  const Tensor x = Input({.shape = {4, 3}});
  const GRU layer({.units = 2, .stateful = true, .name = "gru"});
  FunctionalBody model({x}, {layer(x)});
  const Tensor batch = numbers({2, 4, 3});
  const std::vector<float> first = model({batch}, {})[0].to_vector();
  EXPECT_NE(model({batch}, {})[0].to_vector(), first);
  reset_state(layer);
  EXPECT_EQ(model({batch}, {})[0].to_vector(), first);
  EXPECT_EQ(message_of([&] {
              model({numbers({3, 4, 3})}, {});
            }),
            model.name() +
                "/gru: is stateful and began with a batch of 2, found one of 3; use a number of "
                "samples that the batch size divides");
}

// An encoder whose state a decoder begins with, in a functional model.
TEST(RecurrentLayers, HandTheirStateOn) {
  const Tensor source = Input({.shape = {kUnknown, 3}}), target = Input({.shape = {kUnknown, 2}});
  const LSTM encoder({.units = 4, .return_state = true, .name = "encoder"});
  const LSTM decoder({.units = 4, .return_sequences = true, .name = "decoder"});
  const Tensors encoded = encoder(Tensors{source});
  const Tensor decoded = decoder(target, {.initial_state = {encoded[1], encoded[2]}});
  FunctionalBody model({source, target}, {decoded});
  EXPECT_EQ(model.outputs()[0].spec.shape, (Shape{kUnknown, kUnknown, 4}));

  const GradientTape tape;  // keeps the history of what is compared
  const Tensor a = numbers({2, 5, 3}, 1), b = numbers({2, 3, 2}, 2);
  const Tensor y = model({a, b}, {})[0];
  const Tensors state = encoder(Tensors{a});
  expect_near(y, decoder(b, {.initial_state = {state[1], state[2]}}));
  const Tensor reached = gradients(sum(y), Tensors{a})[0];
  ASSERT_TRUE(reached.defined());
  EXPECT_GT(sum(abs(reached)).item(), 0);
}

// A layer of a program's own, whose class no list knows.
class Centred final : public LayerBody {
 public:
  explicit Centred(bool mixes) : mixes_(mixes) { set_name("centred"); }
  std::string_view class_name() const override { return "Centred"; }
  bool mixes_samples(bool) const override { return mixes_; }
  Tensors call(const Tensors& inputs, const CallContext&) override {
    return {inputs[0] - mean(inputs[0], {0})};
  }

 private:
  bool mixes_;
};

TEST(TimeDistributedLayers, RunsALayerThatMixesSamplesStepByStep) {
  const Tensor x = numbers({2, 3, 4});
  const Tensor y = TimeDistributed({.layer = Layer(std::make_shared<Centred>(true))})(x);
  expect_near(y, x - mean(x, {0}));
  const Tensor folded = TimeDistributed({.layer = Layer(std::make_shared<Centred>(false))})(x);
  expect_near(folded, x - mean(x, {0, 1}));
}

TEST(RecurrentLayers, CarryTheMaskOnlyWithTheirSequences) {
  const Tensor x = constant(std::vector<float>{1, 2, 0, 0, 3, 4}, {1, 3, 2});
  const Tensor masked = Masking()(x);
  ASSERT_TRUE(masked.mask().defined());
  EXPECT_EQ(cast(masked.mask(), DType::float32).to_vector(), (std::vector<float>{1, 0, 1}));
  const Tensor sequence = GRU({.units = 2, .return_sequences = true})(masked);
  EXPECT_TRUE(sequence.mask().defined());
  EXPECT_TRUE(TimeDistributed({.layer = Dense({.units = 2})})(sequence).mask().defined());
  EXPECT_FALSE(GRU({.units = 2})(masked).mask().defined());
  const Tensors states =
      LSTM({.units = 2, .return_sequences = true, .return_state = true})(Tensors{masked});
  EXPECT_TRUE(states[0].mask().defined());
  EXPECT_FALSE(states[1].mask().defined());
  // The masked step repeats the output before it.
  const std::vector<float> y = sequence.to_vector();
  EXPECT_EQ(y[2], y[0]);
  EXPECT_NE(y[4], y[2]);
}

// With no recurrence and the same numbers at all steps, the outputs show what was dropped.
TEST(RecurrentDropout, IsTheSameAtEveryStepAndKeepsTheMean) {
  set_random_seed(3);
  constexpr int64_t kFeatures = 400;
  const SimpleRNN layer({.units = kFeatures,
                         .activation = "linear",
                         .use_bias = false,
                         .kernel_initializer = Constant({.value = 0}),
                         .recurrent_initializer = "zeros",
                         .dropout = 0.25,
                         .return_sequences = true});
  const Tensor x = broadcast_to(1.0, {2, 3, kFeatures});
  layer(x);
  std::vector<float> identity(kFeatures * kFeatures, 0.0f);
  for (size_t i = 0; i < kFeatures; ++i) identity[i * kFeatures + i] = 1;
  Variable(layer->weights()[0]).set(identity);
  EXPECT_EQ(layer(x).to_vector(), x.to_vector());

  const std::vector<float> y = layer(x, {.training = true}).to_vector();
  int64_t dropped = 0;
  for (size_t i = 0; i < y.size(); ++i) {
    const size_t feature = i % kFeatures, sample = i / (3 * kFeatures);
    EXPECT_EQ(y[i], y[sample * 3 * kFeatures + feature]);
    EXPECT_TRUE(y[i] == 0 || std::abs(y[i] - 1 / 0.75f) < 1e-6f) << y[i];
    dropped += y[i] == 0;
  }
  EXPECT_NEAR(static_cast<double>(dropped) / static_cast<double>(y.size()), 0.25, 0.05);
}

TEST(RecurrentDropout, DropsTheStateOfEachGateApart) {
  set_random_seed(5);
  const GradientTape tape;
  const LSTM layer({.units = 50, .recurrent_dropout = 0.5, .return_sequences = true});
  const Tensor x = numbers({2, 3, 4});
  const std::vector<float> plain = layer(x).to_vector();
  const Tensor trained = layer(x, {.training = true});
  const std::vector<float> y = trained.to_vector();
  for (size_t i = 0; i < 50; ++i) EXPECT_NEAR(y[i], plain[i], 1e-6);  // there is no state yet
  EXPECT_NE(y, plain);
  EXPECT_TRUE(gradients(sum(trained), Tensors{x})[0].defined());
}

TEST(RecurrentDropout, WithASeedOfItsOwnDependsOnNoOther) {
  const GRU layer({.units = 6, .dropout = 0.5, .recurrent_dropout = 0.3, .seed = 7});
  const Tensor x = numbers({3, 4, 5});
  layer(x);
  const auto first_step = [&](int64_t seed) {
    training_clock().tick();  // draws of a step are numbered
    set_random_seed(seed);
    return layer(x, {.training = true}).to_vector();
  };
  const std::vector<float> y = first_step(1);
  EXPECT_EQ(first_step(2), y);
  training_clock().tick();
  EXPECT_NE(layer(x, {.training = true}).to_vector(), y);
}

// What the ops compute, composed of single steps.
TEST(RecurrentSteps, GiveWhatTheOpGives) {
  const GradientTape tape;
  for (const RecurrentCell kind : {RecurrentCell::lstm, RecurrentCell::gru, RecurrentCell::simple})
    for (const bool reset_after : {true, false}) {
      const RecurrentSettings settings = {{}, kind, 4, reset_after};
      const int64_t columns = settings.gates() * 4;
      RecurrentWeights weights = {Variable("w", {DType::float32, {3, columns}}),
                                  Variable("u", {DType::float32, {4, columns}}),
                                  {}};
      weights.kernel.set(numbers({3, columns}, 1).to_vector());
      weights.recurrent_kernel.set((numbers({4, columns}, 2) * 0.5).to_vector());
      const bool two = kind == RecurrentCell::gru && reset_after;
      RecurrentOptions options = {.reset_after = reset_after,
                                  .go_backwards = true,
                                  .return_sequences = true,
                                  .bias = numbers(two ? Shape{2, columns} : Shape{columns}, 3),
                                  .initial_state = {numbers({2, 4}, 4)},
                                  .previous_output = numbers({2, 4}, 5),
                                  .input_dropout = numbers({2, settings.gates(), 3}, 6),
                                  .recurrent_dropout = numbers({2, settings.gates(), 4}, 7)};
      if (kind == RecurrentCell::lstm) options.initial_state.push_back(numbers({2, 4}, 8));
      options.mask = greater(numbers({2, 5}, 9), 0.0);
      const Tensor x = numbers({2, 5, 3}, 10);
      const RecurrentResult steps = run_step_by_step(settings, weights, x, options);
      const RecurrentResult whole =
          kind == RecurrentCell::lstm ? lstm(x, weights.kernel, weights.recurrent_kernel, options)
          : kind == RecurrentCell::gru
              ? gru(x, weights.kernel, weights.recurrent_kernel, options)
              : simple_rnn(x, weights.kernel, weights.recurrent_kernel, options);
      expect_near(steps.output, whole.output);
      for (size_t i = 0; i < whole.state.size(); ++i) expect_near(steps.state[i], whole.state[i]);
      Tensors sources = {x, weights.kernel.value(), weights.recurrent_kernel.value(), options.bias,
                         options.previous_output};
      for (const Tensor& state : options.initial_state) sources.push_back(state);
      const Tensors a = gradients(sum(square(steps.output)), sources);
      const Tensors b = gradients(sum(square(whole.output)), sources);
      for (size_t i = 0; i < a.size(); ++i) expect_near(a[i], b[i], 1e-3f);
    }
}

TEST(Bidirectional, RunsCopiesOfItsLayer) {
  const LSTM inner({.units = 3, .name = "memory"});
  const Bidirectional both({.layer = inner, .name = "both"});
  both(numbers({2, 4, 5}));
  EXPECT_FALSE(inner->built());
  const auto children = both->children();
  ASSERT_EQ(children.size(), 2u);
  EXPECT_EQ(children[0].attribute, "forward_layer");
  EXPECT_EQ(children[0].layer->name(), "forward_memory");
  EXPECT_EQ(children[1].attribute, "backward_layer");
  EXPECT_EQ(children[1].layer->name(), "backward_memory");
  EXPECT_EQ(both->weights()[3].name(), "both/backward_memory/lstm_cell/kernel");
}

TEST(RNN, OfStackedCellsIsTheLayersOneAfterAnother) {
  const RNN stacked({.cell = StackedRNNCells({.cells = {GRUCell({.units = 3, .name = "a"}),
                                                        LSTMCell({.units = 2, .name = "b"})}}),
                     .return_state = true});
  const Tensor x = numbers({2, 4, 5});
  const Tensors y = stacked(Tensors{x});
  ASSERT_EQ(y.size(), 4u);
  const GRU first({.units = 3, .return_sequences = true});
  const LSTM second({.units = 2});
  second(first(x));
  Variables to = first->weights();
  for (const Variable& weight : second->weights()) to.push_back(weight);
  const Variables from = stacked->weights();
  for (size_t i = 0; i < from.size(); ++i) Variable(to[i]).set(from[i].value().to_vector());
  expect_near(y[0], second(first(x)));
  EXPECT_EQ(y[1].shape(), (Shape{2, 3}));
  const auto cells = stacked->children()[0].layer->children();
  EXPECT_EQ(cells[0].attribute, "cells/gru_cell");
  EXPECT_EQ(cells[1].attribute, "cells/lstm_cell");
}

TEST(RecurrentErrors, SayWhatWasExpected) {
  const auto input = [](const Shape& shape) { return placeholder({DType::float32, shape}); };
  EXPECT_EQ(message_of([] { LSTM({.name = "l"}); }), "l: units must be at least 1, found 0");
  EXPECT_EQ(message_of([] { GRU({.units = 2, .dropout = 2, .name = "g"}); }),
            "g: dropout must be between 0 and 1, found 2");
  EXPECT_EQ(message_of([&] {
              LSTM({.units = 2, .name = "l"})(input({3, 4}));
            }),
            "l: expected an input of rank 3, (batch, steps, features), found (3, 4)");
  const LSTM built({.units = 2, .name = "l"});
  built(input({2, 3, 4}));
  EXPECT_EQ(message_of([&] {
              built(input({2, 3, 5}));
            }),
            "l: input has 5 features, kernel expects 4 (found shape (2, 3, 5))");
  EXPECT_EQ(message_of([&] {
              built(input({2, 3, 4}), {.initial_state = {input({2, 2})}});
            }),
            "l: expected an initial state of 2 tensors, found 1");
  EXPECT_EQ(message_of([] { Bidirectional({.layer = Dense({.units = 2})}); }),
            "Bidirectional: layer must be a recurrent layer (GRU, LSTM, RNN, SimpleRNN), found "
            "Dense");
  EXPECT_EQ(message_of([] {
              Bidirectional({.layer = LSTM({.units = 2}), .merge_mode = "max", .name = "b"});
            }),
            "b: merge_mode must be concat, sum, mul, ave or none, found 'max'");
  EXPECT_EQ(
      message_of([] {
        Bidirectional(
            {.layer = LSTM({.units = 2}), .backward_layer = LSTM({.units = 2}), .name = "b"});
      }),
      "b: the two layers must run in opposite directions, found go_backwards = false in both");
  EXPECT_EQ(
      message_of([] { RNN({.cell = Dense({.units = 2})}); }),
      "RNN: expected a cell (GRUCell, LSTMCell, SimpleRNNCell, StackedRNNCells), found Dense");
  EXPECT_EQ(message_of([] { TimeDistributed(); }), "TimeDistributed: expected a layer, found none");
}

}  // namespace
}  // namespace plimsoll
