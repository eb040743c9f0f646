// A memory plan as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "plimsoll/train/memory/memory_plan.h"

namespace plimsoll {

nlohmann::ordered_json plan_json(const MemoryPlan& plan);

// All gradients of weights, as if they were kept together.
int64_t gradient_bytes(const MemoryPlan& plan);
// What a layer's ops make in a step but for the gradients of its weights, which are counted apart.
int64_t activations_of(const MemoryPlan::Row& row);

}  // namespace plimsoll
