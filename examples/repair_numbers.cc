// Numbers that are missing or infinite become the mean of the others in their column.
#include <plimsoll/plimsoll.h>

#include <cstdio>
#include <limits>
#include <vector>

namespace pl = plimsoll;

int main() {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  const pl::Tensor data = pl::constant(std::vector<float>{1, 2, nan, 4, infinity}, {5, 1});
  const pl::Tensor targets = pl::constant(std::vector<float>{2, 4, 5, 8, 5}, {5, 1});
  pl::Sequential model({pl::Dense({.units = 1})});
  model.compile({.optimizer = pl::SGD({.learning_rate = 0.05}), .loss = "mse"});
  const pl::History history = model.fit(
      pl::Dataset(data, targets),
      {.epochs = 50, .batch_size = 5, .reading = {.repair = pl::RepairWith::mean}, .verbose = 0});
  std::printf("loss %.4f\n", history.epochs.at("loss").back());
  return history.epochs.at("loss").back() < 0.5 ? 0 : 1;
}
