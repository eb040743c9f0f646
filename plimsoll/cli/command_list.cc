#include "plimsoll/cli/command_list.h"

namespace plimsoll::cli {

std::span<const Command> commands() {
  static constexpr Command kCommands[] = {
      {"demo", "plan and train a small CNN on Fashion-MNIST", demo},
  };
  return kCommands;
}

}  // namespace plimsoll::cli
