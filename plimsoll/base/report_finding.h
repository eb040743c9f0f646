// Reports findings that are made while a program runs and that no call returns.
#pragma once

#include <functional>

#include "plimsoll/base/finding.h"

namespace plimsoll {

// Called on the thread that made the finding.
using FindingHandler = std::function<void(const Finding&)>;

// An empty handler is the default one, which prints a line per finding on standard error. Returns
// the previous handler.
FindingHandler set_finding_handler(FindingHandler handler);

void report(const Finding& finding);

}  // namespace plimsoll
