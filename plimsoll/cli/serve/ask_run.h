// What the pages may ask of a run, by a signal to its process.
#pragma once

#include <string>

#include "plimsoll/cli/serve/run_door.h"

namespace plimsoll::serve {

enum class Wish { checkpoint, stop };

// Sends the signal if the lock of the run is held by a process right now that waits for this
// signal: any other would be ended by it, also a run that was asked to stop and is saving its
// model. A run of a program is asked if its fit takes signals. Empty: it was sent. Else why it was
// not. One caller at a time.
std::string ask_run(const RunDoor& run, Wish wish);

}  // namespace plimsoll::serve
