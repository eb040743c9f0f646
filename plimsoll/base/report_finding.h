// Where findings go that are made while a program runs and that no call hands back.
#pragma once

#include <functional>

#include "plimsoll/base/finding.h"

namespace plimsoll {

// Called on the thread that made the finding.
using FindingHandler = std::function<void(const Finding&)>;

// An empty handler is the one at the start: a line on standard error for each. Returns the one that
// was there.
FindingHandler set_finding_handler(FindingHandler handler);

void report(const Finding& finding);

}  // namespace plimsoll
