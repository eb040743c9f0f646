// limited_loop BATCH MEMORY [keep]: five steps of a loop written by hand, in the memory that is
// given; prints the measured peak and the arena. With `keep` it goes on and keeps a tensor a step,
// until it is refused.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>

#include "plimsoll/engine/memory/arena.h"
#include "plimsoll/plimsoll.h"

namespace plimsoll {
namespace {

constexpr int64_t kUnits = 512;

class Loop {
 public:
  explicit Loop(int64_t batch)
      : x_(constant(Initializer("random_normal").values({batch, kUnits}, 1, "x"),
                    {batch, kUnits})) {}

  Tensor step() {
    const GradientTape tape;
    const Tensor y = model_(x_, {.training = true});
    const Tensor loss = loss_of_(x_, y);
    const Variables weights = model_.trainable_variables();
    optimizer_.apply_gradients(tape.gradient(loss, weights), weights);
    last_loss_ = loss.item();
    return y;
  }
  double last_loss() const { return last_loss_; }

 private:
  static std::vector<Layer> layers() {
    std::vector<Layer> layers;
    for (int i = 0; i < 20; ++i) layers.push_back(Dense({.units = kUnits, .activation = "tanh"}));
    return layers;
  }

  Tensor x_;
  Sequential model_{layers()};
  const Adam optimizer_;
  const MeanSquaredError loss_of_;
  double last_loss_ = 0;
};

int run(int64_t batch, const std::string& memory, bool keeps) {
  set_memory_limit(memory);
  Loop loop(batch);
  for (int i = 0; i < 5; ++i) loop.step();
  std::printf("loss=%.9g measured=%lld arena=%lld\n", loop.last_loss(),
              static_cast<long long>(process_memory().peak_resident_bytes),
              static_cast<long long>(Arena::shared()->bytes()));
  Tensors kept;
  while (keeps) kept.push_back(loop.step());
  return 0;
}

}  // namespace
}  // namespace plimsoll

int main(int argc, char** argv) {
  if (argc != 3 && !(argc == 4 && std::strcmp(argv[3], "keep") == 0)) {
    std::fprintf(stderr, "usage: limited_loop BATCH MEMORY [keep]\n");
    return 2;
  }
  try {
    return plimsoll::run(std::atoll(argv[1]), argv[2], argc == 4);
  } catch (const plimsoll::DoesNotFit& error) {
    std::fprintf(stderr, "limited_loop: %s\n", error.what());
    return 4;
  }
}
