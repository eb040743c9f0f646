#include "plimsoll/cli/command_list.h"

namespace plimsoll::cli {

std::span<const Command> commands() {
  static constexpr Command kCommands[] = {
      {"plan", "how much memory it takes to train a model", plan},
      {"check", "what is wrong with data, record by record", check},
      {"bench-data", "how fast data can be read, and what limits it", bench_data},
      {"train", "train a model on data", train},
      {"evaluate", "the loss and the metrics of a model on data", evaluate},
      {"predict", "what a model says to data", predict},
      {"summary", "the layers of a model", summary},
      {"convert", "write a model or data in another format", convert},
      {"demo", "plan and train a small CNN on Fashion-MNIST", demo},
  };
  return kCommands;
}

}  // namespace plimsoll::cli
