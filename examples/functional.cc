// A functional model with two inputs and a layer that both share; it learns whether two vectors
// point the same way.
#include <plimsoll/plimsoll.h>

#include <cstdio>
#include <vector>

namespace pl = plimsoll;

int main() {
  constexpr int64_t kSamples = 4096;
  pl::set_random_seed(3);
  const pl::Tensor left = pl::random_normal({kSamples, 4}, 0, 1, pl::training_clock().draw());
  const pl::Tensor right = pl::random_normal({kSamples, 4}, 0, 1, pl::training_clock().draw());
  const pl::Tensor same =
      pl::cast(pl::greater(pl::sum(left * right, {1}, true), 0.0), pl::DType::float32);

  const pl::Tensor a = pl::Input({.shape = {4}, .name = "left"});
  const pl::Tensor b = pl::Input({.shape = {4}, .name = "right"});
  const pl::Layer tower = pl::Dense({.units = 32, .activation = "relu", .name = "tower"});
  const pl::Tensor joined = pl::concatenate({tower(a), tower(b)});
  const pl::Tensor hidden = pl::Dense({.units = 32, .activation = "relu"})(joined);
  pl::Model model({a, b}, {pl::Dense({.units = 1, .activation = "sigmoid"})(hidden)}, "twins");

  model.compile({.optimizer = pl::Adam({.learning_rate = 0.01}),
                 .loss = "binary_crossentropy",
                 .metrics = {"accuracy"}});
  std::printf("%s", model.summary().c_str());
  const pl::Dataset data(pl::Tensors{left, right}, pl::Tensors{same});
  const pl::History history =
      model.fit(data, {.epochs = 10, .batch_size = 128, .validation_split = 0.2});
  return history.epochs.at("val_accuracy").back() > 0.85 ? 0 : 1;
}
