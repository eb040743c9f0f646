// RunSummary as JSON, for commands and pages.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "plimsoll/report/run_list.h"

namespace plimsoll {

// {"name", "status", …}; what is not known is null.
nlohmann::ordered_json to_json(const RunSummary& run);

}  // namespace plimsoll
