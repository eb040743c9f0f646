// Progress of a command on a terminal.
#pragma once

#include <memory>

#include "plimsoll/report/console_progress.h"
#include "plimsoll/train/callbacks/callback.h"

namespace plimsoll::cli {

// A line on standard error that moves while batches are done; nothing if no line can move.
Callbacks moving_line();

// The lines of epochs, on standard output, moving where they can; with `json`, which has the output
// for itself, on standard error where they can move there, else none.
std::shared_ptr<ConsoleProgress> epoch_lines(bool json, Monitored monitored = {});

}  // namespace plimsoll::cli
