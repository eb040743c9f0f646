// The commands of the program: one file each, one row each.
#pragma once

#include <span>
#include <string_view>

namespace plimsoll::cli {

// The exit code of a command. A command that a signal ends has 128 plus the signal's number.
enum ExitCode {
  kDone = 0,
  kInternalError = 1,
  kWrongUsage = 2,
  kBadModelOrData = 3,
  kDoesNotFit = 4,
  kNotFinite = 5,
  kOutOfTime = 75,  // EX_TEMPFAIL: try again
  kSignal = 128,
};

struct ExitMeaning {
  int code;
  std::string_view meaning;
};
std::span<const ExitMeaning> exit_meanings();

using Arguments = std::span<const char* const>;

struct Command {
  std::string_view name;
  std::string_view what;  // one line for the help
  int (*run)(Arguments) = nullptr;
  bool hidden = false;  // not listed in the help
  // Its result is in files: what it prints without --json is for a person who may have gone.
  bool leaves_files = false;
};

std::span<const Command> commands();

// What the program is for, as the help and the manual say it.
inline constexpr std::string_view kPurpose =
    "plimsoll trains Keras models in a given amount of memory. It knows the peak memory of a run\n"
    "before the first step, and reads data of any size as it is needed.\n";

int plan(Arguments arguments);
int check(Arguments arguments);
int bench_data(Arguments arguments);
int train(Arguments arguments);
int resume(Arguments arguments);
int runs(Arguments arguments);
int serve(Arguments arguments);
int replay(Arguments arguments);
int doctor(Arguments arguments);
int profile(Arguments arguments);
int reduce(Arguments arguments);
int report(Arguments arguments);
int compare(Arguments arguments);
int evaluate(Arguments arguments);
int predict(Arguments arguments);
int summary(Arguments arguments);
int convert(Arguments arguments);
int demo(Arguments arguments);
int manual(Arguments arguments);
int completion(Arguments arguments);

}  // namespace plimsoll::cli
