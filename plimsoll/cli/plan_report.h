// A memory plan as a table.
#pragma once

#include <string>

#include "plimsoll/train/memory/largest_batch.h"
#include "plimsoll/train/memory/memory_plan.h"

namespace plimsoll::cli {

// A row for each layer, then the totals.
std::string plan_table(const MemoryPlan& plan);

}  // namespace plimsoll::cli
