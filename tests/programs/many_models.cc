// many_models COUNT: builds, trains and drops so many small models, one after another, by fit and
// by loops written by hand; prints what the process holds after the fifth and after the last.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "plimsoll/plimsoll.h"
#include "tests/support/example_models.h"

namespace plimsoll {
namespace {

constexpr int64_t kBatch = 8, kSteps = 4;

enum class Training { fit, loop };

struct Kind {
  Training training;
  Shape features;
  Layer (*first)();
};

Layer dense() {
  return Dense({.units = 64, .activation = "relu"});
}

Layer convolution() {
  return Conv2D({.filters = 16, .kernel_size = {3, 3}, .activation = "relu"});
}

Layer lstm() {
  return LSTM({.units = 16});
}

// After five models each has been trained once.
const std::array<Kind, 5> kKinds = {{{Training::fit, {32}, dense},
                                     {Training::fit, {16, 16, 3}, convolution},
                                     {Training::fit, {12, 6}, lstm},
                                     {Training::loop, {16, 16, 3}, convolution},
                                     {Training::loop, {12, 6}, lstm}}};

void train_by_hand(const Sequential& model, const Dataset& data) {
  const Adam optimizer;
  const SparseCategoricalCrossentropy loss_of;
  for (const Tensors& batch : tensor_batches(data, {.batch_size = kBatch})) {
    const GradientTape tape;
    const Tensor loss = loss_of(batch[1], model(batch[0], {.training = true}));
    const Variables weights = model.trainable_variables();
    optimizer.apply_gradients(tape.gradient(loss, weights), weights);
    loss.item();
  }
}

void train(const Kind& kind) {
  const Dataset data(example_records({{DType::float32, kind.features}, {DType::int32, {}}}, kBatch,
                                     kBatch * kSteps));
  Sequential model({kind.first(), Flatten(), Dense({.units = 2, .activation = "softmax"})});
  if (kind.training == Training::loop) return train_by_hand(model, data);
  model.compile({.loss = "sparse_categorical_crossentropy", .metrics = {"accuracy"}});
  model.fit(data, {.epochs = 2, .batch_size = kBatch, .validation_split = 0.25, .verbose = 0});
  model.predict(data, {.batch_size = kBatch});
}

int run(int64_t count) {
  int64_t early = 0;
  for (int64_t i = 0; i < count; ++i) {
    train(kKinds[static_cast<size_t>(i) % kKinds.size()]);
    if (i + 1 == static_cast<int64_t>(kKinds.size())) early = process_memory().resident_bytes;
  }
  std::printf("models=%lld early=%lld late=%lld\n", static_cast<long long>(count),
              static_cast<long long>(early),
              static_cast<long long>(process_memory().resident_bytes));
  return 0;
}

}  // namespace
}  // namespace plimsoll

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: many_models COUNT\n");
    return 2;
  }
  try {
    return plimsoll::run(std::atoll(argv[1]));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "many_models: %s\n", error.what());
    return 1;
  }
}
