// Numbers that are missing or infinite become the mean of the others before training (seed 001.1).
#include <plimsoll/plimsoll.h>

#include <cstdio>
#include <limits>
#include <vector>

namespace pl = plimsoll;

// Every number that is NaN or infinite becomes the mean of the others.
pl::Tensor with_mean_for_bad(const pl::Tensor& x) {
  const pl::Tensor good = pl::less_equal(pl::abs(x), std::numeric_limits<float>::max());
  const pl::Tensor kept = pl::select(good, x, 0.0);
  const pl::Tensor mean = pl::sum(kept) / pl::sum(pl::cast(good, pl::DType::float32));
  return pl::select(good, x, mean);
}

int main() {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  const pl::Tensor data = pl::constant(std::vector<float>{1, 2, nan, 4, infinity}, {5, 1});
  const pl::Tensor cleaned = with_mean_for_bad(data);
  for (const float value : cleaned.to_vector()) std::printf("%g ", value);
  std::printf("\n");

  const pl::Tensor targets = pl::constant(std::vector<float>{2, 4, 5, 8, 5}, {5, 1});
  pl::Sequential model({pl::Dense({.units = 1})});
  model.compile({.optimizer = pl::SGD({.learning_rate = 0.05}), .loss = "mse"});
  const pl::History history =
      model.fit(pl::Dataset(cleaned, targets), {.epochs = 50, .batch_size = 5, .verbose = 0});
  std::printf("loss %.4f\n", history.epochs.at("loss").back());
  return history.epochs.at("loss").back() < 0.5 ? 0 : 1;
}
