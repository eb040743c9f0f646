#include "plimsoll/cli/command_list.h"

namespace plimsoll::cli {

std::span<const Command> commands() {
  static constexpr Command kCommands[] = {
      {"plan", "show how much memory it takes to train a model", plan},
      {"check", "find what is wrong with data, record by record", check},
      {"bench-data", "measure how fast data can be read, and what limits it", bench_data},
      {.name = "train", .what = "train a model on data", .run = train, .leaves_files = true},
      {.name = "resume",
       .what = "go on with a run of train that was stopped or killed",
       .run = resume,
       .leaves_files = true},
      {"runs", "list the runs in a folder", runs},
      {"serve", "show runs in a browser while they go on", serve},
      {"replay", "show a step that was not finite, operation by operation", replay},
      {"doctor", "find out why a model does not learn, or will not", doctor},
      {"profile", "measure where the time of a training step goes", profile},
      {.name = "reduce",
       .what = "find the smallest case of a training that fails",
       .run = reduce,
       .leaves_files = true},
      {.name = "report",
       .what = "write a page that shows a run: curves, memory, data, findings",
       .run = report,
       .leaves_files = true},
      {.name = "compare",
       .what = "write a page that shows several runs and what differs",
       .run = compare,
       .leaves_files = true},
      {"evaluate", "compute the loss and the metrics of a model on data", evaluate},
      {.name = "predict",
       .what = "run a model on data and write its outputs",
       .run = predict,
       .leaves_files = true},
      {"summary", "show the layers of a model", summary},
      {.name = "convert",
       .what = "write a model, weights or data in another format",
       .run = convert,
       .leaves_files = true},
      {"demo", "plan and train a small CNN on Fashion-MNIST", demo},
      {"manual", "print the manual page", manual, true},
      {"completion", "print the completion script of a shell", completion, true},
  };
  return kCommands;
}

std::span<const ExitMeaning> exit_meanings() {
  static constexpr ExitMeaning kMeanings[] = {
      {kDone, "The command did what it was asked to do."},
      {kInternalError, "There is an error in Plimsoll itself; please report it."},
      {kWrongUsage, "The command was called in a wrong way: an option, a value or a missing loss."},
      {kBadModelOrData,
       "The model or the data is bad, or a file cannot be read or cannot be written."},
      {kDoesNotFit, "The run does not fit in memory."},
      {kNotFinite, "A loss or a gradient is not finite; the message names the records."},
      {kOutOfTime, "The time of --max-time is over; 'plimsoll resume RUN' goes on."},
      {kSignal + 1, "SIGHUP (the terminal was closed) ended the command."},
      {kSignal + 2, "SIGINT (Ctrl-C) ended the command."},
      {kSignal + 15, "SIGTERM ended the command."},
  };
  return kMeanings;
}

}  // namespace plimsoll::cli
