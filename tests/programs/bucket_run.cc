// bucket_run RUN WEIGHTS: trains an LSTM on sequences in buckets with checkpoints in RUN, going on
// if there are some, and writes the weights when it is done.
#include <cstdio>

#include "plimsoll/plimsoll.h"

namespace pl = plimsoll;

namespace {

constexpr int64_t kLongest = 30, kRecords = 600;

pl::Dataset sentences() {
  const auto source = pl::from_generator(
      {{pl::DType::int32, {kLongest}}, {pl::DType::int32, {}}}, kRecords,
      [](int64_t record, const pl::RecordWriter& into) {
        const auto words = into.field<int32_t>(0);
        const auto kind = static_cast<int32_t>(record % 3);
        for (int64_t i = 0; i < kLongest; ++i)
          words[static_cast<size_t>(i)] =
              i <= record % kLongest ? static_cast<int32_t>((record * 7 + i * kind) % 19 + 1) : 0;
        into.field<int32_t>(1)[0] = kind;
      });
  return pl::Dataset(pl::bucketed(source, {.boundaries = {10, 20}}));
}

}  // namespace

int main(int count, char** arguments) try {
  if (count != 3) throw pl::InvalidArgument("expected RUN WEIGHTS");
  pl::set_random_seed(11);
  pl::Sequential model({pl::Embedding({.input_dim = 20, .output_dim = 16, .mask_zero = true}),
                        pl::LSTM({.units = 24, .dropout = 0.2}), pl::Dropout({.rate = 0.2}),
                        pl::Dense({.units = 3, .activation = "softmax"})});
  model.compile(
      {.optimizer = "adam", .loss = "sparse_categorical_crossentropy", .metrics = {"accuracy"}});
  pl::FitOptions options{.epochs = 5, .batch_size = 16, .verbose = 0};
  options.run = arguments[1];
  options.checkpoints.every_steps = 13;
  model.fit(sentences(), options);
  model.save_weights(arguments[2]);
} catch (const std::exception& error) {
  std::fprintf(stderr, "bucket_run: %s\n", error.what());
  return 1;
}
