// Data that comes batch by batch: fit, evaluate and predict are those of a plain loop over it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <stdexcept>

#include "plimsoll/base/error.h"
#include "plimsoll/base/process_memory.h"
#include "plimsoll/data/sources/stream.h"
#include "plimsoll/plimsoll.h"
#include "tests/support/list_stream.h"

namespace plimsoll {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::listed_stream;
using testing::ListedBatch;
using testing::ListedBatches;
using ::testing::Pointwise;
using ::testing::ThrowsMessage;

constexpr int64_t kInputs = 3;

HostTensor host(const Tensor& tensor) {
  auto storage = std::make_shared<Storage>(tensor.spec().bytes());
  std::memcpy(storage->data(), tensor.data(), static_cast<size_t>(tensor.spec().bytes()));
  return {tensor.spec(), std::move(storage)};
}

struct Batch {
  Tensor x, y;
  ListedBatch listed() const { return {host(x), host(y)}; }
};

Batch batch_of(int64_t seed, int64_t records, int64_t steps = 0) {
  std::vector<float> x, y;
  const int64_t width = kInputs * std::max<int64_t>(1, steps);
  for (int64_t i = 0; i < records * width; ++i)
    x.push_back(std::sin(static_cast<float>(seed * 1000 + i) * 1.7f));
  for (int64_t i = 0; i < records; ++i) y.push_back(std::cos(static_cast<float>(seed * 77 + i)));
  const Shape shape = steps == 0 ? Shape{records, kInputs} : Shape{records, steps, kInputs};
  return {constant(x, shape), constant(y, {records, 1})};
}

ListedBatches listed(const std::vector<Batch>& batches) {
  ListedBatches all;
  for (const Batch& batch : batches) all.push_back(batch.listed());
  return all;
}

Sequential regression() {
  set_random_seed(4);
  reset_names();
  Sequential model({Dense({.units = 4, .activation = "tanh"}), Dense({.units = 1})});
  model.compile({.optimizer = SGD({.learning_rate = 0.05, .momentum = 0.9}), .loss = "mse"});
  return model;
}

std::vector<float> weights_of(const Model& model) {
  std::vector<float> all;
  for (const Variable& weight : model.weights()) {
    const std::vector<float> values = weight.value().to_vector();
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

// What fit does, as a plain loop: the sizes of the batches of each epoch.
std::vector<std::vector<int64_t>> plain_loop(Model& model, const std::vector<Batch>& pass,
                                             int64_t epochs, std::optional<int64_t> steps) {
  std::vector<std::vector<int64_t>> sizes;
  size_t next = 0;
  for (int64_t epoch = 0; epoch < epochs; ++epoch) {
    if (next == pass.size()) next = 0;
    auto& epoch_sizes = sizes.emplace_back();
    for (int64_t i = 0; i < steps.value_or(std::ssize(pass)) && next < pass.size(); ++i, ++next) {
      model.train_on_batch(pass[next].x, pass[next].y);
      epoch_sizes.push_back(pass[next].x.shape()[0]);
    }
  }
  return sizes;
}

// Notes the sizes of the batches of each epoch.
class Sizes final : public Callback {
 public:
  void on_epoch_begin(TrainingState&) override {
    sizes->emplace_back();
    before_ = 0;
  }
  void on_train_batch_end(TrainingState& state) override {
    sizes->back().push_back(state.samples - std::exchange(before_, state.samples));
  }
  std::shared_ptr<std::vector<std::vector<int64_t>>> sizes =
      std::make_shared<std::vector<std::vector<int64_t>>>();

 private:
  int64_t before_ = 0;
};

struct RandomRun {
  std::vector<Batch> pass;
  int64_t epochs;
  std::optional<int64_t> steps;
  int64_t part;
  int workers;
};

RandomRun draw_run(unsigned seed) {
  std::mt19937 random(seed);
  const auto draw = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  RandomRun run;
  const int64_t usual = draw(1, 8);
  for (int64_t i = draw(1, 5); i > 0; --i)
    run.pass.push_back(batch_of(i, draw(0, 2) > 0 ? usual : draw(1, 12)));
  run.epochs = draw(1, 4);
  if (draw(0, 1) == 1) run.steps = draw(1, 7);
  run.part = draw(0, 3);
  run.workers = static_cast<int>(draw(0, 1));
  return run;
}

TEST(StreamFit, EqualsAPlainLoopOverTheBatches) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    const RandomRun run = draw_run(seed);
    Sequential by_hand = regression();
    const auto sizes = plain_loop(by_hand, run.pass, run.epochs, run.steps);
    Sequential model = regression();
    const Sizes noted;
    FitOptions options{.epochs = run.epochs, .steps_per_epoch = run.steps, .verbose = 0};
    if (run.part > 0) options.saving.micro_batch = run.part;
    options.reading.workers = run.workers;
    options.callbacks.emplace_back(noted);
    model.fit(Dataset(listed_stream(listed(run.pass))), options);
    ASSERT_EQ(*noted.sizes, sizes);
    if (run.part == 0)
      ASSERT_EQ(weights_of(model), weights_of(by_hand));
    else
      ASSERT_THAT(weights_of(model), Pointwise(::testing::FloatNear(1e-5f), weights_of(by_hand)));
  }
}

TEST(StreamFit, AnEpochEndsWhereThePassDoesAndLaterOnesKnowTheNumber) {
  Sequential model = regression();
  std::vector<int64_t> expected;
  model.fit(Dataset(listed_stream(listed({batch_of(1, 4), batch_of(2, 4), batch_of(3, 2)}))),
            {.epochs = 3,
             .verbose = 0,
             .callbacks = {LambdaCallback({.on_epoch_begin = [&](TrainingState& state) {
               expected.push_back(state.batches);
             }})}});
  EXPECT_THAT(expected, ElementsAre(0, 3, 3));
}

// Counts passes and batches; ends only if it is told to.
struct Counts {
  int passes = 0, batches = 0;
};
class Endless final : public BatchStream {
 public:
  Endless(Counts& counts, int most) : counts_(counts), most_(most) { ++counts.passes; }
  int64_t next() override {
    if (made_++ == most_) return 0;
    ++counts_.batches;
    return 2;
  }
  const Specs& fields() const override { return fields_; }
  const std::byte* field(size_t i) const override {
    return reinterpret_cast<const std::byte*>(numbers_) + i * 4;
  }

 private:
  Counts& counts_;
  int most_, made_ = 0;
  Specs fields_ = {{DType::float32, {kInputs}}, {DType::float32, {1}}};
  float numbers_[8] = {1, 2, 3, 4, 5, 6, 7, 8};
};

TEST(StreamFit, AnEndlessStreamGoesOnFromEpochToEpoch) {
  Counts counts;
  Sequential model = regression();
  const Dataset data(from_stream([&] { return std::make_unique<Endless>(counts, -1); }));
  model.fit(data, {.epochs = 3, .steps_per_epoch = 4, .verbose = 0});
  EXPECT_EQ(counts.passes, 1);
  EXPECT_GE(counts.batches, 12);
  EXPECT_LE(counts.batches, 14) << "no more than the windows are read ahead";
}

TEST(StreamFit, AStreamThatCannotBeginAgainEndsTraining) {
  Counts counts;
  Sequential model = regression();
  const Dataset data(
      from_stream([&] { return std::make_unique<Endless>(counts, counts.passes == 0 ? 5 : 0); }));
  const History history = model.fit(data, {.epochs = 4, .steps_per_epoch = 3, .verbose = 0});
  EXPECT_THAT(history.epoch, ElementsAre(0, 1));
}

TEST(StreamFit, ValidatesWithAStreamFromItsBeginning) {
  const std::vector<Batch> batches = {batch_of(1, 4), batch_of(2, 3)};
  Sequential model = regression();
  const Dataset data(listed_stream(listed(batches)));
  const History history = model.fit(data, {.epochs = 2, .validation_data = data, .verbose = 0});
  EXPECT_THAT(history.epochs.at("val_loss").back(),
              DoubleNear(model.evaluate(data).at("loss"), 1e-6));
}

TEST(StreamFit, RefusesWhatAStreamCannotDo) {
  Sequential model = regression();
  const Dataset data(listed_stream(listed({batch_of(1, 4)})));
  EXPECT_THAT([&] { model.fit(data, {.validation_split = 0.5, .verbose = 0}); },
              ThrowsMessage<InvalidArgument>(HasSubstr("give validation_data")));
  EXPECT_THAT([&] { model.fit(data, {.batch_size = 32, .verbose = 0}); },
              ThrowsMessage<InvalidArgument>(HasSubstr("comes in batches already")));
  const Dataset none(listed_stream({}));
  EXPECT_THAT([&] { model.fit(none, {.verbose = 0}); },
              ThrowsMessage<InvalidArgument>(HasSubstr("there is no batch")));
}

struct UsersError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Broken final : public BatchStream {
 public:
  explicit Broken(Batch batch) : inner_({batch.listed(), batch.listed()}) {}
  int64_t next() override {
    const int64_t records = inner_.next();
    if (records == 0) throw UsersError("from the user's generator");
    return records;
  }
  const Specs& fields() const override { return inner_.fields(); }
  const std::byte* field(size_t i) const override { return inner_.field(i); }

 private:
  testing::ListStream inner_;
};

TEST(StreamFit, ThrowsWhatTheStreamThrowsAsItIs) {
  Sequential model = regression();
  const Dataset data(from_stream([] { return std::make_unique<Broken>(batch_of(1, 4)); }));
  EXPECT_THAT([&] { model.fit(data, {.verbose = 0}); },
              ThrowsMessage<UsersError>("from the user's generator"));
  EXPECT_THAT([&] { model.evaluate(data); }, ThrowsMessage<UsersError>(HasSubstr("generator")));
  EXPECT_THAT([&] { model.predict(data); }, ThrowsMessage<UsersError>(HasSubstr("generator")));
  EXPECT_NO_THROW(model.predict(batch_of(1, 2).x)) << "the model can be used";
}

TEST(StreamFit, PredictsAllRecordsWhateverTheBatches) {
  const std::vector<Batch> batches = {batch_of(1, 4), batch_of(2, 9), batch_of(3, 1)};
  Sequential model = regression();
  model.predict(batches[0].x);
  std::vector<float> expected;
  for (const Batch& batch : batches) {
    const std::vector<float> rows = model.predict(batch.x).to_vector();
    expected.insert(expected.end(), rows.begin(), rows.end());
  }
  const Dataset data(listed_stream(listed(batches)));
  const Tensor found = model.predict(data)[0];
  EXPECT_EQ(found.shape(), (Shape{14, 1}));
  EXPECT_THAT(found.to_vector(), Pointwise(::testing::FloatNear(1e-6f), expected));
  EXPECT_EQ(model.predict(data, {.steps = 2})[0].shape(), (Shape{13, 1}));
}

TEST(StreamFit, TrainsOnSequencesOfAnotherLengthInEachBatch) {
  const std::vector<Batch> batches = {batch_of(1, 4, 5), batch_of(2, 4, 9), batch_of(3, 2, 2)};
  const auto make = [] {
    set_random_seed(4);
    reset_names();
    Sequential model({LSTM({.units = 3}), Dense({.units = 1})});
    model.compile({.optimizer = SGD({.learning_rate = 0.05}), .loss = "mse"});
    return model;
  };
  Sequential by_hand = make();
  plain_loop(by_hand, batches, 2, std::nullopt);
  Sequential model = make();
  model.fit(Dataset(listed_stream(listed(batches))), {.epochs = 2, .verbose = 0});
  EXPECT_EQ(weights_of(model), weights_of(by_hand));
}

TEST(StreamFit, HoldsALargerBatchToTheBudget) {
  set_random_seed(4);
  reset_names();
  Sequential model({Dense({.units = 4096, .activation = "relu"}), Dense({.units = 1})});
  model.compile({.optimizer = SGD({.learning_rate = 0.01}), .loss = "mse"});
  const Dataset data(listed_stream(listed({batch_of(1, 16), batch_of(2, 4096)})));
  const int64_t before = process_memory().resident_bytes, budget = before + (int64_t{48} << 20);
  int64_t most = 0;  // the arena stays between batches
  const auto look = [&](TrainingState& state) {
    most = std::max(most, state.memory().resident_bytes);
  };
  model.fit(data, {.epochs = 2,
                   .memory = std::to_string(budget),
                   .verbose = 0,
                   .callbacks = {LambdaCallback({.on_train_batch_end = look})}});
  EXPECT_LE(most, budget);
  // Whole, the activations and their gradients alone are larger than that.
  EXPECT_GT(2 * 4096 * 4096 * 4, budget - before);
}

}  // namespace
}  // namespace plimsoll
