// Progress of a command on a terminal.
#pragma once

#include "plimsoll/train/callbacks/callback.h"

namespace plimsoll::cli {

// A line on standard error that moves while batches are done; nothing where that is no terminal.
Callbacks moving_line();

// The lines of epochs, on standard output, moving where that is a terminal; with `json`, which has
// the output for itself, as moving_line.
Callbacks epoch_lines(bool json);

}  // namespace plimsoll::cli
