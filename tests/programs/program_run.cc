// program_run RUN EPOCHS [EPOCH|signals [MIB]]: trains a small model with fit in RUN, as a program
// does. In EPOCH, counted from 1, its learning rate is so large that the loss is not finite soon.
// With "signals" fit takes signals. A tensor of so many MiB is kept after each epoch.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "plimsoll/plimsoll.h"

namespace pl = plimsoll;

namespace {

constexpr int64_t kRecords = 96;

pl::Dataset waves() {
  std::vector<float> x, y;
  for (int64_t i = 0; i < kRecords * 4; ++i) x.push_back(std::sin(static_cast<float>(i) * 1.7f));
  for (int64_t i = 0; i < kRecords; ++i) y.push_back(std::cos(static_cast<float>(i)));
  return {pl::constant(x, {kRecords, 4}), pl::constant(y, {kRecords, 1})};
}

}  // namespace

int main(int count, char** arguments) try {
  if (count < 3) throw pl::InvalidArgument("expected RUN EPOCHS [EPOCH|signals [MIB]]");
  pl::set_random_seed(11);
  pl::Sequential model({pl::Dense({.units = 6, .activation = "tanh", .name = "hidden"}),
                        pl::Dense({.units = 1, .name = "answer"})});
  model.compile({.optimizer = pl::SGD({.learning_rate = 0.02}), .loss = "mse", .metrics = {"mae"}});
  const std::string_view how = count > 3 ? arguments[3] : "";
  const int64_t bad = std::atoll(how.data());
  const int64_t kept_numbers = count > 4 ? std::atoll(arguments[4]) << 18 : 0;
  pl::Tensors kept;
  const auto begin = [&](pl::TrainingState& state) {
    if (state.epoch + 1 == bad) state.set_learning_rate(1e30);
  };
  const auto end = [&](pl::TrainingState&) {
    const std::vector<float> numbers(static_cast<size_t>(kept_numbers), 1);
    if (kept_numbers > 0) kept.push_back(pl::constant(numbers, {kept_numbers}));
  };
  model.fit(waves(),
            {.epochs = std::atoll(arguments[2]),
             .batch_size = 16,
             .validation_split = 0.25,
             .run = arguments[1],
             .checkpoints = {.takes_signals = how == "signals"},
             .verbose = 0,
             .callbacks = {pl::LambdaCallback({.on_epoch_begin = begin, .on_epoch_end = end})}});
} catch (const pl::Stopped& stopped) {
  std::fprintf(stderr, "program_run: %s\n", stopped.what());
  return 128 + stopped.signal();
} catch (const std::exception& error) {
  std::fprintf(stderr, "program_run: %s\n", error.what());
  return 1;
}
