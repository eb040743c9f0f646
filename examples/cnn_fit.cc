// A small CNN on images of 224x224, trained with fit. What a generator would yield batch by batch
// is drawn once here; a batch that does not fit the machine is what the printed plan is for.
#include <plimsoll/plimsoll.h>

#include <cstdio>
#include <cstdlib>

namespace pl = plimsoll;

int main() {
  const bool quick = std::getenv("PLIMSOLL_QUICK") != nullptr;
  const int64_t samples = quick ? 8 : 256, batch_size = quick ? 4 : 32;

  pl::set_random_seed(7);
  const pl::Tensor x = pl::random_normal({samples, 224, 224, 3}, 0, 1, pl::training_clock().draw());
  const pl::Tensor y =
      pl::cast(pl::random_uniform({samples}, 0, 10, pl::training_clock().draw()), pl::DType::int32);

  pl::Sequential model({
      pl::Conv2D({.filters = 32, .kernel_size = {3, 3}, .activation = "relu"}),
      pl::MaxPooling2D(),
      pl::Flatten(),
      pl::Dense({.units = 10, .activation = "softmax"}),
  });
  model.compile({.optimizer = pl::Adam(),
                 .loss = "sparse_categorical_crossentropy",
                 .metrics = {"accuracy"}});

  const pl::MemoryPlan plan = model.plan(pl::Dataset(x, y).source->fields(), batch_size);
  std::printf("%s\n", plan.to_string().c_str());
  const pl::History history = model.fit(x, y, {.epochs = quick ? 1 : 3, .batch_size = batch_size});
  std::printf("peak memory: planned %s, measured %s\n",
              pl::format_bytes(history.memory.peak_bytes).c_str(),
              pl::format_bytes(history.measured_peak_bytes).c_str());
}
