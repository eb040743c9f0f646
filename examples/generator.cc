// Records that a function makes on demand. Their type and shape are known in advance, and only one
// batch of them is in memory. Nothing is deleted or cleared between steps, and memory does not
// grow.
#include <plimsoll/plimsoll.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace pl = plimsoll;

int main() {
  const bool quick = std::getenv("PLIMSOLL_QUICK") != nullptr;
  const int64_t size = quick ? 32 : 224, batch_size = quick ? 4 : 32;
  const int epochs = quick ? 12 : 50;

  const pl::Specs fields = {{pl::DType::float32, {size, size, 3}}, {pl::DType::int32, {}}};
  const pl::Dataset data(
      pl::from_generator(fields, 1'000'000, [](int64_t record, const pl::RecordWriter& into) {
        const auto label = static_cast<int32_t>(record % 10);
        float wave = static_cast<float>(record);
        for (float& pixel : into.field<float>(0)) {
          wave += 0.1f * static_cast<float>(label + 1);
          pixel = std::sin(wave);
        }
        into.field<int32_t>(1)[0] = label;
      }));

  pl::Sequential model({
      pl::Conv2D({.filters = 32, .kernel_size = {3, 3}, .activation = "relu"}),
      pl::MaxPooling2D(),
      pl::Flatten(),
      pl::Dense({.units = 10, .activation = "softmax"}),
  });
  const pl::Adam optimizer;
  const pl::SparseCategoricalCrossentropy loss_fn;

  int64_t early = 0;
  for (int epoch = 0; epoch < epochs; ++epoch) {
    for (const pl::Tensors& batch : pl::tensor_batches(
             data, {.batch_size = batch_size, .shuffle = true, .epoch = epoch, .steps = 1})) {
      const pl::GradientTape tape;
      const pl::Tensor loss = loss_fn(batch[1], model(batch[0], {.training = true}));
      const pl::Tensors gradients = tape.gradient(loss, model.trainable_variables());
      optimizer.apply_gradients(gradients, model.trainable_variables());
      std::printf("epoch %d, loss %.4f\n", epoch, loss.item());
    }
    if (epoch == epochs / 3) early = pl::process_memory().resident_bytes;
  }
  const int64_t grown = pl::process_memory().resident_bytes - early;
  std::printf("memory grew by %s after epoch %d\n", pl::format_bytes(grown).c_str(), epochs / 3);
  return grown < (4 << 20) ? 0 : 1;
}
