// Where the numbers of a batch stopped being finite, as log.jsonl has it.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "plimsoll/train/steps/bad_batch.h"

namespace plimsoll {

nlohmann::ordered_json range_json(const FiniteRange& range);
nlohmann::ordered_json bad_batch_json(const BadBatch& bad);

}  // namespace plimsoll
