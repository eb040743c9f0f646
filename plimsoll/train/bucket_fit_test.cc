// Training on sequences in buckets.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/data/sources/generator.h"
#include "plimsoll/data/stages/buckets.h"
#include "plimsoll/nn/nn.h"
#include "plimsoll/train/callbacks/callbacks.h"
#include "plimsoll/train/model.h"

namespace plimsoll {
namespace {

constexpr int64_t kLongest = 12, kRecords = 100;

// Words of one kind, as many as the record's number says; the label is the kind.
SourcePtr sentences() {
  return from_generator({{DType::int32, {kLongest}}, {DType::int32, {}}}, kRecords,
                        [](int64_t record, const RecordWriter& into) {
                          const auto words = into.field<int32_t>(0);
                          const auto kind = static_cast<int32_t>(record % 3);
                          std::fill(words.begin(), words.end(), 0);
                          std::fill_n(words.begin(), 1 + record % kLongest, kind + 1);
                          into.field<int32_t>(1)[0] = kind;
                        });
}

Sequential reader() {
  reset_names();
  set_random_seed(3);
  Sequential model({
      Embedding({.input_dim = 4, .output_dim = 8, .mask_zero = true}),
      LSTM({.units = 8}),
      Dense({.units = 3, .activation = "softmax"}),
  });
  model.compile(
      {.optimizer = Adam({.learning_rate = 0.02}), .loss = "sparse_categorical_crossentropy"});
  return model;
}

Dataset in_buckets() {
  return Dataset(bucketed(sentences(), {.boundaries = {3, 7}}));
}

TEST(BucketFit, EvaluatesAsPaddedDataDoes) {
  Sequential model = reader();
  const double padded = model.evaluate(Dataset(sentences()), {.batch_size = 8}).at("loss");
  const double cut = model.evaluate(in_buckets(), {.batch_size = 8}).at("loss");
  EXPECT_NEAR(cut, padded, 1e-5);
}

TEST(BucketFit, LearnsFromEveryBucket) {
  Sequential model = reader();
  std::vector<int64_t> samples;
  const LambdaCallback count(
      {.on_epoch_end = [&](TrainingState& state) { samples.push_back(state.samples); }});
  const History history = model.fit(in_buckets(), {.epochs = 8,
                                                   .batch_size = 8,
                                                   .validation_data = in_buckets(),
                                                   .verbose = 0,
                                                   .callbacks = {count}});
  EXPECT_THAT(samples, testing::Each(kRecords));
  EXPECT_LT(history.epochs.at("val_loss").back(), 0.5 * history.epochs.at("val_loss").front());
}

TEST(BucketFit, SharesOneArenaThatIsPlannedForTheLongest) {
  Sequential in_one = reader(), in_three = reader();
  const FitOptions options{.batch_size = 8, .verbose = 0};
  const History one = in_one.fit(Dataset(sentences()), options);
  const History three = in_three.fit(in_buckets(), options);
  EXPECT_EQ(three.memory.arena_bytes, one.memory.arena_bytes);
}

TEST(BucketFit, RefusesWhatNeedsAllDataToBeAlike) {
  Sequential model = reader();
  EXPECT_THROW(model.fit(in_buckets(), {.validation_split = 0.1, .verbose = 0}), InvalidArgument);
  EXPECT_THROW(model.predict(in_buckets()), InvalidArgument);
}

}  // namespace
}  // namespace plimsoll
