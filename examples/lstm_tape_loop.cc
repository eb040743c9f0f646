// An LSTM trained by loops written by hand: the whole data set in one step, one
// sample at a time and in batches. Each loop's step is planned once; tensors that a
// loop makes go when it lets go of them.
#include <plimsoll/plimsoll.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace pl = plimsoll;

constexpr int64_t kClasses = 2;

struct Sequences {
  pl::Tensor x, y;  // labels are one-hot
};

Sequences make_data(int64_t samples, int64_t steps, int64_t features) {
  const pl::Tensor x =
      pl::random_normal({samples, steps, features}, 0, 1, pl::training_clock().draw());
  const pl::Tensor labels = pl::cast(pl::greater(pl::sum(x, {1, 2}), 0.0), pl::DType::int32);
  return {x, pl::one_hot(labels, kClasses)};
}

pl::Sequential make_model(int64_t units) {
  return pl::Sequential(
      {pl::LSTM({.units = units}), pl::Dense({.units = kClasses, .activation = "softmax"})});
}

double training_step(const pl::Model& model, const pl::Adam& optimizer, const pl::Tensor& x,
                     const pl::Tensor& y) {
  static const pl::CategoricalCrossentropy loss_fn;
  const pl::GradientTape tape;
  const pl::Tensor loss = loss_fn(y, model(x, {.training = true}));
  const pl::Tensors gradients = tape.gradient(loss, model.trainable_variables());
  optimizer.apply_gradients(gradients, model.trainable_variables());
  return loss.item();
}

// Trains for two epochs and prints what they took.
bool train(const char* what, int64_t units, const Sequences& data, int64_t batch_size) {
  const pl::Sequential model = make_model(units);
  const pl::Adam optimizer;
  const auto start = std::chrono::steady_clock::now();
  double first = 0, last = 0;
  int64_t steps = 0;
  for (int epoch = 0; epoch < 2; ++epoch)
    for (const pl::Tensors& batch :
         pl::tensor_batches(pl::Dataset(data.x, data.y), {.batch_size = batch_size})) {
      last = training_step(model, optimizer, batch[0], batch[1]);
      if (steps++ == 0) first = last;
    }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  std::printf("%-22s %4lld steps, %.2f ms each, loss %.3f -> %.3f, memory %s\n", what,
              static_cast<long long>(steps), 1000 * seconds.count() / static_cast<double>(steps),
              first, last, pl::format_bytes(pl::process_memory().resident_bytes).c_str());
  return last > 0 && last < 5;
}

int main() {
  const bool quick = std::getenv("PLIMSOLL_QUICK") != nullptr;
  pl::set_random_seed(8);
  const Sequences large = quick ? make_data(64, 10, 10) : make_data(1000, 50, 10);
  const Sequences small = quick ? make_data(32, 20, 5) : make_data(1000, 20, 5);
  const bool all = train("all samples at once", quick ? 32 : 256, large, large.x.shape()[0]) &&
                   train("one sample at a time", 32, small, 1) &&
                   train("in batches of 32", 32, small, 32);
  return all ? 0 : 1;
}
