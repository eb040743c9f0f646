// The commands of the program: one file each, one row each.
#pragma once

#include <span>
#include <string_view>

namespace plimsoll::cli {

// What a command ends with. One that a signal ends: 128 and the signal's number.
enum ExitCode {
  kDone = 0,
  kInternalError = 1,
  kWrongUsage = 2,
  kBadModelOrData = 3,
  kDoesNotFit = 4,
  kNotFinite = 5,
  kSignal = 128,
};

using Arguments = std::span<const char* const>;

struct Command {
  std::string_view name;
  std::string_view what;  // one line for the help
  int (*run)(Arguments) = nullptr;
};

std::span<const Command> commands();

int plan(Arguments arguments);
int check(Arguments arguments);
int bench_data(Arguments arguments);
int train(Arguments arguments);
int evaluate(Arguments arguments);
int predict(Arguments arguments);
int summary(Arguments arguments);
int convert(Arguments arguments);
int demo(Arguments arguments);

}  // namespace plimsoll::cli
