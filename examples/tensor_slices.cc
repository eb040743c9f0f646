// A data set that is in memory: its records are neither copied nor
// shuffled in a buffer. The order of an epoch is computed index by index, over all records, and one
// batch is in memory beside the data.
#include <plimsoll/plimsoll.h>

#include <cstdio>
#include <cstdlib>

namespace pl = plimsoll;

int main() {
  const bool quick = std::getenv("PLIMSOLL_QUICK") != nullptr;
  const int64_t samples = quick ? 20'000 : 400'000;
  constexpr int64_t kFeatures = 64;
  pl::set_random_seed(6);
  const pl::Tensor x = pl::random_normal({samples, kFeatures}, 0, 1, pl::training_clock().draw());
  const pl::Tensor y = pl::cast(pl::greater(pl::sum(x, {1}), 0.0), pl::DType::float32);
  const pl::Dataset data(x, y);

  pl::Sequential model(
      {pl::InputLayer({.shape = {kFeatures}}), pl::Dense({.units = 1, .activation = "sigmoid"})});
  model.compile({.optimizer = "adam", .loss = "binary_crossentropy", .metrics = {"accuracy"}});
  const int64_t before = pl::process_memory().resident_bytes;
  const pl::History history = model.fit(data, {.epochs = 2, .batch_size = 32});
  const int64_t more = pl::process_memory().resident_bytes - before;
  std::printf("the data is %s; training took %s more\n", pl::format_bytes(x.spec().bytes()).c_str(),
              pl::format_bytes(more).c_str());
  return more < x.spec().bytes() && history.epochs.at("accuracy").back() > 0.8 ? 0 : 1;
}
