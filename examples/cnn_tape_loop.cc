// The same CNN in a loop written by hand, as with TensorFlow's GradientTape. Nothing
// has to be deleted or cleared between steps: the step is planned once and its memory stays where
// it is.
#include <plimsoll/plimsoll.h>

#include <cstdio>
#include <cstdlib>

namespace pl = plimsoll;

struct Batch {
  pl::Tensor x, y;
};

Batch next_batch(int64_t batch_size) {
  return {pl::random_normal({batch_size, 224, 224, 3}, 0, 1, pl::training_clock().draw()),
          pl::cast(pl::random_uniform({batch_size}, 0, 10, pl::training_clock().draw()),
                   pl::DType::int32)};
}

int main() {
  const bool quick = std::getenv("PLIMSOLL_QUICK") != nullptr;
  const int64_t batch_size = quick ? 4 : 32;
  const int epochs = quick ? 3 : 50;

  pl::Sequential model({
      pl::Conv2D({.filters = 32, .kernel_size = {3, 3}, .activation = "relu"}),
      pl::MaxPooling2D(),
      pl::Flatten(),
      pl::Dense({.units = 10, .activation = "softmax"}),
  });
  const pl::Adam optimizer;
  const pl::SparseCategoricalCrossentropy loss_fn;

  for (int epoch = 0; epoch < epochs; ++epoch) {
    const auto [x, y] = next_batch(batch_size);

    const pl::GradientTape tape;
    const pl::Tensor predictions = model(x, {.training = true});
    const pl::Tensor loss = loss_fn(y, predictions);
    const pl::Tensors gradients = tape.gradient(loss, model.trainable_variables());
    optimizer.apply_gradients(gradients, model.trainable_variables());

    std::printf("epoch %d, loss %.4f, memory %s\n", epoch, loss.item(),
                pl::format_bytes(pl::process_memory().resident_bytes).c_str());
  }
}
