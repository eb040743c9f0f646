// The commands of the program: one file each, one row each.
#pragma once

#include <span>
#include <string_view>

namespace plimsoll::cli {

// What a command ends with.
enum ExitCode {
  kDone = 0,
  kInternalError = 1,
  kWrongUsage = 2,
  kBadModelOrData = 3,
  kDoesNotFit = 4,
  kNotFinite = 5,
};

using Arguments = std::span<const char* const>;

struct Command {
  std::string_view name;
  std::string_view what;  // one line for the help
  int (*run)(Arguments) = nullptr;
};

std::span<const Command> commands();

int demo(Arguments arguments);

}  // namespace plimsoll::cli
