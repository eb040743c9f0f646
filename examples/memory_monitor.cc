// What memory is used for, after each epoch: a function that is called there, and
// numbers by kind instead of one for the whole machine.
#include <plimsoll/plimsoll.h>

#include <cstdio>

namespace pl = plimsoll;

void memory_monitor(pl::TrainingState& state) {
  const pl::MemoryUse memory = state.memory();
  std::printf(
      "epoch %lld: loss %.4f; memory %s (planned %s): weights %s, optimizer %s, "
      "batches %s, arena %s\n",
      static_cast<long long>(state.epoch + 1), state.logs().at("loss"),
      pl::format_bytes(memory.resident_bytes).c_str(),
      pl::format_bytes(memory.planned_peak_bytes).c_str(),
      pl::format_bytes(memory.weight_bytes).c_str(),
      pl::format_bytes(memory.optimizer_bytes).c_str(),
      pl::format_bytes(memory.batch_bytes).c_str(), pl::format_bytes(memory.arena_bytes).c_str());
}

int main() {
  constexpr int64_t kSamples = 512;
  pl::set_random_seed(5);
  const pl::Tensor x = pl::random_normal({kSamples, 64}, 0, 1, pl::training_clock().draw());
  const pl::Tensor y = pl::sum(x, {1}, true) * 0.1;
  pl::Sequential model({pl::Dense({.units = 256, .activation = "relu"}), pl::Dense({.units = 1})});
  model.compile({.optimizer = pl::Adam({.clipnorm = 1.0}), .loss = "mse"});
  model.fit(x, y,
            {.epochs = 10,
             .verbose = 0,
             .callbacks = {pl::LambdaCallback({.on_epoch_end = memory_monitor}),
                           pl::ReduceLROnPlateau({.monitor = "loss", .patience = 2})}});
}
