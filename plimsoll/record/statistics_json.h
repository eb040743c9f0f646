// StepStatistics as a line of log.jsonl has them: the names are those of the fields.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "plimsoll/record/step_statistics.h"

namespace plimsoll {

// Numbers have six digits. Histograms are left out where they are empty, and so are the fields that
// only trained variables have.
nlohmann::ordered_json to_json(const StepStatistics& statistics);

}  // namespace plimsoll
