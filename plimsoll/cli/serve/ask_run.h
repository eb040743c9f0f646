// What the pages may ask of a run, by a signal to its process.
#pragma once

#include <string>

#include "plimsoll/cli/serve/run_door.h"

namespace plimsoll::serve {

enum class Wish { checkpoint, stop };

// Sends the signal if the lock of the run is held by a process of this program right now. Empty: it
// was sent. Else why it was not.
std::string ask_run(const RunDoor& run, Wish wish);

}  // namespace plimsoll::serve
