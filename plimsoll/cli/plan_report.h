// A memory plan as a table and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "plimsoll/train/memory/largest_batch.h"
#include "plimsoll/train/memory/memory_plan.h"

namespace plimsoll::cli {

// A row for each layer, then the totals.
std::string plan_table(const MemoryPlan& plan);
nlohmann::ordered_json plan_json(const MemoryPlan& plan);

}  // namespace plimsoll::cli
