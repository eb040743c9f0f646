// How long this thread has waited for a core.
#pragma once

namespace plimsoll {

// In seconds since the thread began: it was ready to run, and other work had the cores. 0 where the
// system does not say.
double core_wait_seconds();

}  // namespace plimsoll
