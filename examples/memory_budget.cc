// A batch of 128 may need more memory than there is. The plan says so before the first step, and
// names the largest batch that fits.
#include <plimsoll/plimsoll.h>

#include <cstdio>

namespace pl = plimsoll;

int main() {
  constexpr int64_t kSamples = 256, kWanted = 128;
  pl::set_random_seed(1);
  const pl::Tensor images =
      pl::random_normal({kSamples, 32, 32, 3}, 0, 1, pl::training_clock().draw());
  const pl::Tensor labels = pl::cast(
      pl::random_uniform({kSamples}, 0, 10, pl::training_clock().draw()), pl::DType::int32);
  const pl::Dataset data(images, labels);

  pl::Sequential model({
      pl::Conv2D({.filters = 32, .kernel_size = {3, 3}, .padding = "same", .activation = "relu"}),
      pl::Conv2D({.filters = 32, .kernel_size = {3, 3}, .activation = "relu"}),
      pl::MaxPooling2D(),
      pl::Flatten(),
      pl::Dense({.units = 10, .activation = "softmax"}),
  });
  model.compile({.optimizer = "adam", .loss = "sparse_categorical_crossentropy"});

  const pl::Specs fields = data.source->fields();
  const auto peak_bytes = [&](int64_t batch) { return model.plan(fields, batch).peak_bytes; };
  // Half of what a batch of 128 takes, as if the machine had no more.
  const int64_t budget = peak_bytes(1) + (peak_bytes(kWanted) - peak_bytes(1)) / 2;
  const pl::LargestBatch fitting = pl::largest_batch(peak_bytes, budget);
  std::printf("a batch of %lld needs %s, there are %s: %lld samples fit\n",
              static_cast<long long>(kWanted), pl::format_bytes(peak_bytes(kWanted)).c_str(),
              pl::format_bytes(budget).c_str(), static_cast<long long>(fitting.size));
  const pl::History history = model.fit(data, {.epochs = 2, .batch_size = fitting.size});
  std::printf("peak memory: planned %s, measured %s\n",
              pl::format_bytes(history.memory.peak_bytes).c_str(),
              pl::format_bytes(history.measured_peak_bytes).c_str());
  return fitting.size > 1 && fitting.size < kWanted ? 0 : 1;
}
