// What a page shows of a run's story: curves and sampled statistics.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "plimsoll/record/run_story.h"

namespace plimsoll {

// {"epochs", "sampled", "thinned", "series": [{"name", "x", "y"}]}: metrics by epoch, then records
// per second and resident bytes; "sampled" is the loss by step, of the steps that were sampled. The
// more runs share a page, the fewer points each has.
nlohmann::ordered_json curves_json(const RunStory& story, size_t runs = 1);

// {"steps", "variables": {"names", "joined", "gradient", "update"}, "layers": {"names", "joined",
// "activations", "least", "largest", …}, "learning_rate"}; null where no step was sampled.
nlohmann::ordered_json statistics_of(const RunStory& story);

}  // namespace plimsoll
